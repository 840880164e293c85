// The accessory over NimBLE: its services and its advertising.

#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "services/gap/ble_svc_gap.h"

static uint16_t notified_handle;

static int use_value(uint16_t link, uint16_t handle, struct ble_gatt_access_ctxt *context, void *argument) {
    (void)link;
    (void)handle;
    static const uint8_t open[] = {1, 2, 3};
    uint8_t written[64];
    uint16_t length = 0;
    int status = 0;
    switch ((uintptr_t)argument) {
    case OPEN_VALUE:
        status = os_mbuf_append(context->om, open, sizeof(open));
        break;
    case ENCRYPTED_VALUE:
        status = os_mbuf_append(context->om, "secret", 6);
        break;
    case AUTHENTICATED_VALUE:
        status = os_mbuf_append(context->om, "private", 7);
        break;
    case WRITTEN_VALUE:
        status = ble_hs_mbuf_to_flat(context->om, written, sizeof(written), &length);
        if (status == 0) {
            say_bytes("wrote", 0, written, length);
        }
        break;
    case LONG_VALUE:
        status = os_mbuf_append(context->om, long_value(), LONG_LENGTH);
        break;
    default:
        return BLE_ATT_ERR_UNLIKELY;
    }
    return status == 0 ? 0 : BLE_ATT_ERR_INSUFFICIENT_RES;
}

#define VALUE(number, properties)                                                                                      \
    {                                                                                                                  \
        .uuid = BLE_UUID16_DECLARE(number), .access_cb = use_value, .arg = (void *)number, .flags = properties,        \
        .val_handle = number == NOTIFIED_VALUE ? &notified_handle : NULL                                               \
    }

static const struct ble_gatt_chr_def characteristics[] = {
    VALUE(OPEN_VALUE, BLE_GATT_CHR_F_READ),
    VALUE(ENCRYPTED_VALUE, BLE_GATT_CHR_F_READ | BLE_GATT_CHR_F_READ_ENC),
    VALUE(AUTHENTICATED_VALUE, BLE_GATT_CHR_F_READ | BLE_GATT_CHR_F_READ_ENC | BLE_GATT_CHR_F_READ_AUTHEN),
    VALUE(WRITTEN_VALUE, BLE_GATT_CHR_F_WRITE),
    VALUE(NOTIFIED_VALUE, BLE_GATT_CHR_F_NOTIFY),
    VALUE(LONG_VALUE, BLE_GATT_CHR_F_READ),
    {0},
};

static const struct ble_gatt_svc_def services[] = {
    {
        .type = BLE_GATT_SVC_TYPE_PRIMARY,
        .uuid = BLE_UUID16_DECLARE(ACCESSORY_SERVICE),
        .characteristics = characteristics,
    },
    {0},
};

void add_services(void) {
    int status = ble_gatts_count_cfg(services);
    if (status == 0) {
        status = ble_gatts_add_svcs(services);
    }
    if (status != 0) {
        say("adding services failed, %d", status);
        exit(1);
    }
}

void advertise(void) {
    static const ble_uuid16_t service = BLE_UUID16_INIT(ACCESSORY_SERVICE);
    const char *name = ble_svc_gap_device_name();
    struct ble_hs_adv_fields fields = {.flags = BLE_HS_ADV_F_DISC_GEN | BLE_HS_ADV_F_BREDR_UNSUP,
                                       .uuids16 = &service,
                                       .num_uuids16 = 1,
                                       .uuids16_is_complete = 1,
                                       .name = (const uint8_t *)name,
                                       .name_len = (uint8_t)strlen(name),
                                       .name_is_complete = 1};
    struct ble_gap_adv_params parameters = {.conn_mode = BLE_GAP_CONN_MODE_UND,
                                            .disc_mode = BLE_GAP_DISC_MODE_GEN,
                                            .itvl_min = 32,
                                            .itvl_max = 32};
    int status = ble_gap_adv_set_fields(&fields);
    if (status == 0) {
        status = ble_gap_adv_start(peer.own_address, NULL, BLE_HS_FOREVER, &parameters, take_event, NULL);
    }
    if (status != 0) {
        say("advertising failed, %d", status);
        exit(1);
    }
}

void subscription_changed(uint16_t handle, bool is_on) {
    if (handle == notified_handle) {
        say(is_on ? "subscribed" : "unsubscribed");
    }
}

int notify(const char *text) {
    uint8_t bytes[32];
    const size_t length = read_bytes(text, bytes, sizeof(bytes));
    struct os_mbuf *value = ble_hs_mbuf_from_flat(bytes, (uint16_t)length);
    return value == NULL ? BLE_HS_ENOMEM : ble_gatts_notify_custom(peer.link, notified_handle, value);
}
