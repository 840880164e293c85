/// The parts of the program over BTstack. All of it runs in BTstack's run loop.
#ifndef PEER_H
#define PEER_H

#include "../common/program.h"
#include "btstack.h"

/// The state of the program.
extern struct peer {
    struct options options;
    /// The link; HCI_CON_HANDLE_INVALID without one.
    hci_con_handle_t link;
} peer;

// As an accessory.

/// Adds its services, and sets its advertising up.
void add_services(void);
/// Notifies a value, in hexadecimal. Returns BTstack's code.
uint8_t notify(const char *bytes);

// As a central.

/// Scans for the phone's service, and connects.
void look_for_phone(void);
void take_advertisement(const uint8_t *event);
/// Finds all characteristics.
void discover(void);
/// Reads, writes or subscribes. Returns whether it is one of these commands.
bool use_characteristic(struct command command, uint8_t *status);

#endif
