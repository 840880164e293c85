// The central over NimBLE: it finds the phone, and uses what the phone publishes.

#include <string.h>

#include "peer.h"

/// The characteristics of the phone, in the order of their handles.
static struct {
    uint16_t uuid, declaration, value;
} found[64];
static size_t count;

/// What is being read.
static struct {
    uint16_t uuid;
    uint16_t length;
    uint8_t bytes[512];
} reading;

/// Where the descriptors of the characteristic that is subscribed to end, and the one that matters.
static uint16_t configuration;

static int place_of(uint16_t uuid) {
    for (size_t i = 0; i < count; i++) {
        if (found[i].uuid == uuid) {
            return (int)i;
        }
    }
    return -1;
}

int look_for_phone(void) {
    struct ble_gap_disc_params parameters = {.itvl = 48, .window = 48, .filter_duplicates = 0};
    return ble_gap_disc(peer.own_address, BLE_HS_FOREVER, &parameters, take_event, NULL);
}

void take_advertisement(const struct ble_gap_disc_desc *heard) {
    struct ble_hs_adv_fields fields;
    if (ble_hs_adv_parse_fields(&fields, heard->data, heard->length_data) != 0) {
        return;
    }
    for (int i = 0; i < fields.num_uuids16; i++) {
        if (fields.uuids16[i].value == PHONE_SERVICE && ble_gap_disc_cancel() == 0) {
            const int status = ble_gap_connect(peer.own_address, &heard->addr, 10000, NULL, take_event, NULL);
            if (status != 0) {
                say("connecting failed, %d", status);
            }
            return;
        }
    }
}

static int take_characteristic(
    uint16_t link, const struct ble_gatt_error *error, const struct ble_gatt_chr *characteristic, void *unused) {
    (void)link;
    (void)unused;
    if (error->status == BLE_HS_EDONE) {
        say("discovered %zu", count);
    } else if (error->status != 0) {
        say("discovering failed, %d", error->status);
    } else if (count < sizeof(found) / sizeof(found[0]) && characteristic->uuid.u.type == BLE_UUID_TYPE_16) {
        found[count].uuid = characteristic->uuid.u16.value;
        found[count].declaration = characteristic->def_handle;
        found[count].value = characteristic->val_handle;
        count++;
    }
    return 0;
}

static int take_mtu(uint16_t link, const struct ble_gatt_error *error, uint16_t mtu, void *unused) {
    (void)mtu;
    (void)unused;
    count = 0;
    const int status =
        error->status != 0 ? error->status : ble_gattc_disc_all_chrs(link, 1, 0xFFFF, take_characteristic, NULL);
    if (status != 0) {
        say("discovering failed, %d", status);
    }
    return 0;
}

void discover(void) {
    const int status = ble_gattc_exchange_mtu(peer.link, take_mtu, NULL);
    if (status != 0) {
        say("exchanging MTUs failed, %d", status);
    }
}

/// Says that a request was refused: `error FF22 0x0F`.
static void say_error(uint16_t uuid, int status) {
    if (status >= BLE_HS_ERR_ATT_BASE && status < BLE_HS_ERR_ATT_BASE + 0x100) {
        say("error %04X 0x%02X", uuid, status - BLE_HS_ERR_ATT_BASE);
    } else {
        say("error %04X, %d", uuid, status);
    }
}

static int take_value(
    uint16_t link, const struct ble_gatt_error *error, struct ble_gatt_attr *attribute, void *unused) {
    (void)link;
    (void)unused;
    if (error->status == BLE_HS_EDONE) {
        say_bytes("read", reading.uuid, reading.bytes, reading.length);
    } else if (error->status != 0) {
        say_error(reading.uuid, error->status);
    } else {
        uint16_t length = 0;
        ble_hs_mbuf_to_flat(
            attribute->om, reading.bytes + reading.length, (uint16_t)(sizeof(reading.bytes) - reading.length), &length);
        reading.length = (uint16_t)(reading.length + length);
    }
    return 0;
}

static int is_written(
    uint16_t link, const struct ble_gatt_error *error, struct ble_gatt_attr *attribute, void *argument) {
    (void)link;
    (void)attribute;
    const uint16_t uuid = (uint16_t)(uintptr_t)argument;
    if (error->status != 0) {
        say_error(uuid, error->status);
    } else {
        say("written %04X", uuid);
    }
    return 0;
}

static int take_descriptor(
    uint16_t link, const struct ble_gatt_error *error, uint16_t value, const struct ble_gatt_dsc *descriptor,
    void *argument) {
    (void)value;
    static const uint8_t on[] = {1, 0};
    if (error->status == 0) {
        if (ble_uuid_u16(&descriptor->uuid.u) == BLE_GATT_DSC_CLT_CFG_UUID16) {
            configuration = descriptor->handle;
        }
    } else if (error->status != BLE_HS_EDONE || configuration == 0) {
        say_error((uint16_t)(uintptr_t)argument, error->status);
    } else {
        ble_gattc_write_flat(link, configuration, on, sizeof(on), is_written, argument);
    }
    return 0;
}

bool use_characteristic(struct command command, int *status) {
    uint8_t bytes[32];
    const int place = place_of(command.uuid);
    const bool is_read = strcmp(command.word, "read") == 0, is_write = strcmp(command.word, "write") == 0;
    if (!is_read && !is_write && strcmp(command.word, "subscribe") != 0) {
        return false;
    }
    if (place < 0) {
        *status = BLE_HS_ENOENT;
    } else if (is_read) {
        reading.uuid = command.uuid;
        reading.length = 0;
        *status = ble_gattc_read_long(peer.link, found[place].value, 0, take_value, NULL);
    } else if (is_write) {
        const size_t length = read_bytes(command.rest, bytes, sizeof(bytes));
        *status = ble_gattc_write_flat(
            peer.link, found[place].value, bytes, (uint16_t)length, is_written, (void *)(uintptr_t)command.uuid);
    } else {
        const uint16_t end = (size_t)place + 1 < count ? (uint16_t)(found[place + 1].declaration - 1) : 0xFFFF;
        configuration = 0;
        *status = ble_gattc_disc_all_dscs(
            peer.link, found[place].value, end, take_descriptor, (void *)(uintptr_t)command.uuid);
    }
    return true;
}

void take_notification(uint16_t handle, const struct os_mbuf *value) {
    uint8_t bytes[64];
    uint16_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (found[i].value == handle && ble_hs_mbuf_to_flat(value, bytes, sizeof(bytes), &length) == 0) {
            say_bytes("notified", found[i].uuid, bytes, length);
        }
    }
}
