// The accessory over BTstack: its services and its advertising.

#include <string.h>

#include "peer.h"

static uint16_t written_handle, notified_handle, long_handle;

/// Reads the long value; the stack itself reads the others. With a long value of its own, BTstack (330e19536) answers every Read
/// Blob Request with the first bytes: `att_copy_value` in src/ble/att_db.c leaves the offset out.
static uint16_t take_read(
    hci_con_handle_t link, uint16_t handle, uint16_t offset, uint8_t *buffer, uint16_t room) {
    (void)link;
    return handle == long_handle ? att_read_callback_handle_blob(long_value(), LONG_LENGTH, offset, buffer, room) : 0;
}

static int take_write(
    hci_con_handle_t link, uint16_t handle, uint16_t mode, uint16_t offset, uint8_t *bytes, uint16_t length) {
    (void)link;
    if (mode != ATT_TRANSACTION_MODE_NONE || offset != 0) {
        return ATT_ERROR_REQUEST_NOT_SUPPORTED;
    }
    if (handle == written_handle) {
        say_bytes("wrote", 0, bytes, length);
    } else if (handle == notified_handle + 1) {
        // The Client Characteristic Configuration, directly behind the value.
        say(length == 2 && (bytes[0] & 1) != 0 ? "subscribed" : "unsubscribed");
    }
    return 0;
}

/// Adds a characteristic. Returns the handle of its value.
static uint16_t add(uint16_t uuid, uint16_t properties, uint8_t reading, const void *bytes, uint16_t length) {
    return att_db_util_add_characteristic_uuid16(
        uuid, properties, reading, ATT_SECURITY_NONE, (uint8_t *)(uintptr_t)bytes, length);
}

void add_services(void) {
    static const uint8_t open[] = {1, 2, 3};
    // Lengths, types and values.
    static uint8_t advertisement[] = {
        2, BLUETOOTH_DATA_TYPE_FLAGS, 0x06,
        3, BLUETOOTH_DATA_TYPE_COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, ACCESSORY_SERVICE & 0xFF, ACCESSORY_SERVICE >> 8,
        8, BLUETOOTH_DATA_TYPE_COMPLETE_LOCAL_NAME, 'B', 'T', 's', 't', 'a', 'c', 'k'};
    bd_addr_t nobody = {0};
    att_db_util_init();
    att_db_util_add_service_uuid16(GAP_SERVICE_UUID);
    add(GAP_DEVICE_NAME_UUID, ATT_PROPERTY_READ, ATT_SECURITY_NONE, "BTstack", 7);
    att_db_util_add_service_uuid16(ACCESSORY_SERVICE);
    add(OPEN_VALUE, ATT_PROPERTY_READ, ATT_SECURITY_NONE, open, sizeof(open));
    add(ENCRYPTED_VALUE, ATT_PROPERTY_READ, ATT_SECURITY_ENCRYPTED, "secret", 6);
    add(AUTHENTICATED_VALUE, ATT_PROPERTY_READ, ATT_SECURITY_AUTHENTICATED, "private", 7);
    written_handle = add(WRITTEN_VALUE, ATT_PROPERTY_WRITE | ATT_PROPERTY_DYNAMIC, ATT_SECURITY_NONE, NULL, 0);
    notified_handle = add(NOTIFIED_VALUE, ATT_PROPERTY_NOTIFY | ATT_PROPERTY_DYNAMIC, ATT_SECURITY_NONE, NULL, 0);
    long_handle = add(LONG_VALUE, ATT_PROPERTY_READ | ATT_PROPERTY_DYNAMIC, ATT_SECURITY_NONE, NULL, 0);
    att_server_init(att_db_util_get_address(), take_read, take_write);

    gap_advertisements_set_params(32, 32, 0, 0, nobody, 0x07, 0x00);
    gap_advertisements_set_data(sizeof(advertisement), advertisement);
    gap_advertisements_enable(1);
}

uint8_t notify(const char *text) {
    uint8_t bytes[32];
    const size_t length = read_bytes(text, bytes, sizeof(bytes));
    return att_server_notify(peer.link, notified_handle, bytes, (uint16_t)length);
}
