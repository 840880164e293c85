// The central over BTstack: it finds the phone, and uses what the phone publishes.

#include <string.h>

#include "peer.h"

static gatt_client_characteristic_t found[64];
static size_t count;
static gatt_client_notification_t listener;

/// The request under way: its command, and what was read.
static struct {
    struct command command;
    uint16_t length;
    uint8_t bytes[512];
} request;

void look_for_phone(void) {
    gap_set_scan_params(1, 48, 48, 0);
    gap_start_scan();
}

void take_advertisement(const uint8_t *event) {
    bd_addr_t address;
    if (!ad_data_contains_uuid16(
            gap_event_advertising_report_get_data_length(event), gap_event_advertising_report_get_data(event),
            PHONE_SERVICE)) {
        return;
    }
    gap_stop_scan();
    gap_event_advertising_report_get_address(event, address);
    const uint8_t status = gap_connect(address, (bd_addr_type_t)gap_event_advertising_report_get_address_type(event));
    if (status != ERROR_CODE_SUCCESS) {
        say("connecting failed, 0x%02X", status);
    }
}

static void take_characteristic(uint8_t kind, uint16_t channel, uint8_t *event, uint16_t size) {
    (void)kind;
    (void)channel;
    (void)size;
    if (hci_event_packet_get_type(event) == GATT_EVENT_CHARACTERISTIC_QUERY_RESULT) {
        if (count < sizeof(found) / sizeof(found[0])) {
            gatt_event_characteristic_query_result_get_characteristic(event, &found[count++]);
        }
    } else if (hci_event_packet_get_type(event) == GATT_EVENT_QUERY_COMPLETE) {
        const uint8_t status = gatt_event_query_complete_get_att_status(event);
        if (status == ATT_ERROR_SUCCESS) {
            say("discovered %zu", count);
        } else {
            say("discovering failed, 0x%02X", status);
        }
    }
}

void discover(void) {
    gatt_client_service_t all = {.start_group_handle = 1, .end_group_handle = 0xFFFF};
    count = 0;
    const uint8_t status = gatt_client_discover_characteristics_for_service(take_characteristic, peer.link, &all);
    if (status != ERROR_CODE_SUCCESS) {
        say("discovering failed, 0x%02X", status);
    }
}

static gatt_client_characteristic_t *characteristic(uint16_t uuid) {
    for (size_t i = 0; i < count; i++) {
        if (found[i].uuid16 == uuid) {
            return &found[i];
        }
    }
    return NULL;
}

static void take_notification(uint8_t kind, uint16_t channel, uint8_t *event, uint16_t size) {
    (void)kind;
    (void)channel;
    (void)size;
    if (hci_event_packet_get_type(event) != GATT_EVENT_NOTIFICATION) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (found[i].value_handle == gatt_event_notification_get_value_handle(event)) {
            say_bytes(
                "notified", found[i].uuid16, gatt_event_notification_get_value(event),
                gatt_event_notification_get_value_length(event));
        }
    }
}

/// Says how a request ended: `read FF21 07`, `written FF21`, `error FF22 0x0F`.
static void request_ended(uint8_t status) {
    const uint16_t uuid = request.command.uuid;
    if (status != ATT_ERROR_SUCCESS) {
        say("error %04X 0x%02X", uuid, status);
    } else if (strcmp(request.command.word, "read") == 0) {
        say_bytes("read", uuid, request.bytes, request.length);
    } else {
        say("written %04X", uuid);
    }
}

static void take_answer(uint8_t kind, uint16_t channel, uint8_t *event, uint16_t size) {
    (void)kind;
    (void)channel;
    (void)size;
    switch (hci_event_packet_get_type(event)) {
    case GATT_EVENT_LONG_CHARACTERISTIC_VALUE_QUERY_RESULT: {
        const uint16_t offset = gatt_event_long_characteristic_value_query_result_get_value_offset(event);
        const uint16_t length = gatt_event_long_characteristic_value_query_result_get_value_length(event);
        if (offset + length <= (int)sizeof(request.bytes)) {
            memcpy(
                request.bytes + offset, gatt_event_long_characteristic_value_query_result_get_value(event), length);
            request.length = (uint16_t)(offset + length);
        }
        break;
    }
    case GATT_EVENT_QUERY_COMPLETE:
        request_ended(gatt_event_query_complete_get_att_status(event));
        break;
    default:
        break;
    }
}

bool use_characteristic(struct command command, uint8_t *status) {
    gatt_client_characteristic_t *used = characteristic(command.uuid);
    const bool is_read = strcmp(command.word, "read") == 0, is_write = strcmp(command.word, "write") == 0;
    if (!is_read && !is_write && strcmp(command.word, "subscribe") != 0) {
        return false;
    }
    if (used == NULL) {
        *status = ERROR_CODE_UNSPECIFIED_ERROR;
        return true;
    }
    request.command = command;
    request.length = 0;
    if (is_read) {
        *status = gatt_client_read_long_value_of_characteristic_using_value_handle(
            take_answer, peer.link, used->value_handle);
    } else if (is_write) {
        // BTstack sends the bytes later, from here.
        request.length = (uint16_t)read_bytes(command.rest, request.bytes, sizeof(request.bytes));
        *status = gatt_client_write_value_of_characteristic(
            take_answer, peer.link, used->value_handle, request.length, request.bytes);
    } else {
        gatt_client_listen_for_characteristic_value_updates(&listener, take_notification, peer.link, used);
        *status = gatt_client_write_client_characteristic_configuration(
            take_answer, peer.link, used, GATT_CLIENT_CHARACTERISTICS_CONFIGURATION_NOTIFICATION);
    }
    return true;
}
