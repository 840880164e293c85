/// The parts of the program over NimBLE.
#ifndef PEER_H
#define PEER_H

#include "../common/program.h"
#include "host/ble_hs.h"

/// The state of the program.
extern struct peer {
    struct options options;
    uint8_t own_address;
    /// The link; BLE_HS_CONN_HANDLE_NONE without one.
    uint16_t link;
    /// Whether there was a bond when the link began.
    bool had_bond;
} peer;

/// Takes an event of the link, of a scan or of the advertising.
int take_event(struct ble_gap_event *event, void *unused);

// As an accessory.

/// Adds its services. Before the host starts.
void add_services(void);
/// Advertises until a phone connects.
void advertise(void);
/// A phone has subscribed, or no longer is.
void subscription_changed(uint16_t handle, bool is_on);
/// Notifies a value, in hexadecimal. Returns NimBLE's code.
int notify(const char *bytes);

// As a central.

/// Scans for the phone's service, and connects. Returns NimBLE's code.
int look_for_phone(void);
void take_advertisement(const struct ble_gap_disc_desc *heard);
/// Exchanges MTUs, and finds all characteristics.
void discover(void);
/// Reads, writes or subscribes. Returns whether it is one of these commands.
bool use_characteristic(struct command command, int *status);
void take_notification(uint16_t handle, const struct os_mbuf *value);

#endif
