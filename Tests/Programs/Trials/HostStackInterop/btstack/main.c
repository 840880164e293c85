// The phone's peer over BlueKitchen's BTstack, on a controller at a terminal.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btstack_run_loop_posix.h"
#include "btstack_uart.h"
#include "hci_transport_h4.h"
#include "peer.h"

struct peer peer = {.link = HCI_CON_HANDLE_INVALID};

static btstack_packet_callback_registration_t hci_registration, security_registration;
static btstack_data_source_t input;

/// Says how a pairing ended.
static void pairing_ended(const uint8_t *event) {
    const hci_con_handle_t link = sm_event_pairing_complete_get_handle(event);
    const uint8_t status = sm_event_pairing_complete_get_status(event);
    if (status == ERROR_CODE_SUCCESS) {
        say("paired %s %s", gap_authenticated(link) ? "authenticated" : "unauthenticated",
            gap_secure_connection(link) ? "sc" : "legacy");
    } else if (status == ERROR_CODE_AUTHENTICATION_FAILURE) {
        say("failed 0x%02X", sm_event_pairing_complete_get_reason(event));
    } else {
        say("failed without a reason, 0x%02X", status);
    }
}

static void take_security_event(uint8_t kind, uint16_t channel, uint8_t *event, uint16_t size) {
    (void)channel;
    (void)size;
    if (kind != HCI_EVENT_PACKET) {
        return;
    }
    switch (hci_event_packet_get_type(event)) {
    case SM_EVENT_JUST_WORKS_REQUEST:
        sm_just_works_confirm(sm_event_just_works_request_get_handle(event));
        break;
    case SM_EVENT_NUMERIC_COMPARISON_REQUEST:
        say("number %06u", (unsigned)sm_event_numeric_comparison_request_get_passkey(event));
        break;
    case SM_EVENT_PASSKEY_DISPLAY_NUMBER:
        say("passkey %06u", (unsigned)sm_event_passkey_display_number_get_passkey(event));
        break;
    case SM_EVENT_PASSKEY_INPUT_NUMBER:
        say("enter passkey");
        break;
    case SM_EVENT_PAIRING_COMPLETE:
        pairing_ended(event);
        break;
    case SM_EVENT_REENCRYPTION_COMPLETE:
        if (sm_event_reencryption_complete_get_status(event) == ERROR_CODE_SUCCESS) {
            say("encrypted");
        } else {
            say("not encrypted, 0x%02X", sm_event_reencryption_complete_get_status(event));
        }
        break;
    default:
        break;
    }
}

static void link_is_up(const uint8_t *event) {
    const uint8_t status = gap_subevent_le_connection_complete_get_status(event);
    if (status != ERROR_CODE_SUCCESS) {
        say("not connected, 0x%02X", status);
        return;
    }
    peer.link = gap_subevent_le_connection_complete_get_connection_handle(event);
    say("connected");
    if (peer.options.is_central) {
        discover();
    }
}

static void take_event(uint8_t kind, uint16_t channel, uint8_t *event, uint16_t size) {
    (void)channel;
    (void)size;
    if (kind != HCI_EVENT_PACKET) {
        return;
    }
    switch (hci_event_packet_get_type(event)) {
    case BTSTACK_EVENT_STATE:
        if (btstack_event_state_get_state(event) == HCI_STATE_WORKING) {
            say("ready");
        }
        break;
    case BTSTACK_EVENT_POWERON_FAILED:
        say("the controller does not start");
        exit(1);
    case HCI_EVENT_META_GAP:
        if (hci_event_gap_meta_get_subevent_code(event) == GAP_SUBEVENT_LE_CONNECTION_COMPLETE) {
            link_is_up(event);
        }
        break;
    case HCI_EVENT_DISCONNECTION_COMPLETE:
        peer.link = HCI_CON_HANDLE_INVALID;
        say("disconnected 0x%02X", hci_event_disconnection_complete_get_reason(event));
        break;
    case GAP_EVENT_ADVERTISING_REPORT:
        take_advertisement(event);
        break;
    default:
        break;
    }
}

/// Gives out-of-band data of a phone for legacy pairing: zeroes.
static int give_legacy_data(uint8_t kind, bd_addr_t phone, uint8_t *key) {
    (void)kind;
    (void)phone;
    memset(key, 0, 16);
    return 1;
}

/// Gives out-of-band data of a phone for LE Secure Connections: zeroes.
static int give_data(uint8_t kind, bd_addr_t phone, uint8_t *confirm, uint8_t *random) {
    (void)kind;
    (void)phone;
    memset(confirm, 0, 16);
    memset(random, 0, 16);
    return 1;
}

static void set_up_pairing(void) {
    static const io_capability_t capabilities[] = {
        [HAS_NONE] = IO_CAPABILITY_NO_INPUT_NO_OUTPUT,
        [HAS_DISPLAY] = IO_CAPABILITY_DISPLAY_ONLY,
        [HAS_KEYBOARD] = IO_CAPABILITY_KEYBOARD_ONLY,
        [HAS_YESNO] = IO_CAPABILITY_DISPLAY_YES_NO,
    };
    uint8_t requirements = SM_AUTHREQ_BONDING;
    if (peer.options.io != HAS_NONE) {
        requirements |= SM_AUTHREQ_MITM_PROTECTION;
    }
    if (!peer.options.is_legacy) {
        requirements |= SM_AUTHREQ_SECURE_CONNECTION;
    }
    // Otherwise it says in every pairing that it has LE Secure Connections, and refuses others.
    sm_set_secure_connections_only_mode(false);
    sm_set_io_capabilities(capabilities[peer.options.io]);
    sm_set_authentication_requirements(requirements);
    if (peer.options.has_oob) {
        // BTstack asks for the second only if the first gives something.
        sm_register_oob_data_callback(give_legacy_data);
        sm_register_sc_oob_data_callback(give_data);
    }
    security_registration.callback = take_security_event;
    sm_add_event_handler(&security_registration);
}

static void obey(struct command command) {
    uint8_t status = ERROR_CODE_SUCCESS;
    if (strcmp(command.word, "yes") == 0) {
        sm_numeric_comparison_confirm(peer.link);
    } else if (strcmp(command.word, "no") == 0) {
        sm_bonding_decline(peer.link);
    } else if (strcmp(command.word, "type") == 0) {
        sm_passkey_input(peer.link, (uint32_t)strtoul(command.rest, NULL, 10));
    } else if (strcmp(command.word, "notify") == 0) {
        status = notify(command.rest);
    } else if (strcmp(command.word, "connect") == 0) {
        look_for_phone();
    } else if (strcmp(command.word, "secure") == 0) {
        sm_request_pairing(peer.link);
    } else if (strcmp(command.word, "disconnect") == 0) {
        status = gap_disconnect(peer.link);
    } else if (!use_characteristic(command, &status)) {
        say("unknown command %s", command.word);
    }
    if (status != ERROR_CODE_SUCCESS) {
        say("%s failed, 0x%02X", command.word, status);
    }
}

static void read_input(btstack_data_source_t *source, btstack_data_source_callback_type_t kind) {
    (void)kind;
    static char line[128];
    static size_t length;
    char byte;
    if (read(source->source.fd, &byte, 1) != 1) {
        exit(0);
    }
    if (byte == '\n') {
        line[length] = 0;
        length = 0;
        obey(read_command(line));
    } else if (length + 1 < sizeof(line)) {
        line[length++] = byte;
    }
}

int main(int count, char *words[]) {
    static hci_transport_config_uart_t terminal = {
        .type = HCI_TRANSPORT_CONFIG_UART, .baudrate_init = 115200, .flowcontrol = BTSTACK_UART_FLOWCONTROL_OFF};
    peer.options = read_options(count, words);
    terminal.device_name = peer.options.place;
    btstack_memory_init();
    btstack_run_loop_init(btstack_run_loop_posix_get_instance());
    hci_init(hci_transport_h4_instance_for_uart(btstack_uart_posix_instance()), &terminal);
    hci_registration.callback = take_event;
    hci_add_event_handler(&hci_registration);
    l2cap_init();
    l2cap_set_max_le_mtu(PROGRAM_MTU);
    sm_init();
    set_up_pairing();
    gatt_client_init();
    if (!peer.options.is_central) {
        add_services();
    }
    btstack_run_loop_set_data_source_fd(&input, STDIN_FILENO);
    btstack_run_loop_set_data_source_handler(&input, read_input);
    btstack_run_loop_enable_data_source_callbacks(&input, DATA_SOURCE_CALLBACK_READ);
    btstack_run_loop_add_data_source(&input);
    hci_power_control(HCI_POWER_ON);
    btstack_run_loop_execute();
    return 0;
}
