// The phone's peer over Apache NimBLE, on a controller at a TCP port of 127.0.0.1.
//
// Threads: one takes H4 from the socket, one is NimBLE's host, and the first one reads commands. NimBLE's functions lock the host
// themselves.

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/ble_hs.h"
#include "host/util/util.h"
#include "nimble/nimble_port.h"
#include "peer.h"
#include "services/gap/ble_svc_gap.h"
#include "services/gatt/ble_svc_gatt.h"

void ble_hci_sock_ack_handler(void *param);
void ble_hci_sock_set_device(int dev);
void ble_store_config_init(void);

struct peer peer = {.link = BLE_HS_CONN_HANDLE_NONE};

static void *run_socket(void *unused) {
    ble_hci_sock_ack_handler(unused);
    return NULL;
}

static void *run_host(void *unused) {
    (void)unused;
    nimble_port_run();
    return NULL;
}

static void host_is_ready(void) {
    if (ble_hs_util_ensure_addr(0) != 0 || ble_hs_id_infer_auto(0, &peer.own_address) != 0) {
        say("the controller has no address");
        exit(1);
    }
    if (!peer.options.is_central) {
        advertise();
    }
    say("ready");
}

static void host_was_reset(int reason) {
    say("reset %d", reason);
    exit(1);
}

/// Says why a pairing failed.
static void pairing_failed(int status) {
    // Reasons that this end has sent begin at 0x400, the others at 0x500.
    const int reason = status - (status < BLE_HS_ERR_SM_PEER_BASE ? BLE_HS_ERR_SM_US_BASE : BLE_HS_ERR_SM_PEER_BASE);
    if (reason > 0 && reason < 0x100) {
        say("failed 0x%02X", reason);
    } else {
        say("failed without a reason, %d", status);
    }
}

/// Says how a link was encrypted: by a new key, or by that of a bond.
static void encryption_changed(int status) {
    struct ble_gap_conn_desc link;
    if (status != 0) {
        pairing_failed(status);
        return;
    }
    if (ble_gap_conn_find(peer.link, &link) != 0) {
        return;
    }
    if (peer.had_bond) {
        say("encrypted");
        return;
    }
    struct ble_store_key_sec key = {.peer_addr = link.peer_id_addr};
    struct ble_store_value_sec bond;
    if (ble_store_read_peer_sec(&key, &bond) != 0) {
        say("paired without a bond");
        return;
    }
    say("paired %s %s", bond.authenticated ? "authenticated" : "unauthenticated", bond.sc ? "sc" : "legacy");
}

/// Asks the person, or shows a number.
static void ask(const struct ble_gap_passkey_params *question) {
    if (question->action == BLE_SM_IOACT_NUMCMP) {
        say("number %06u", (unsigned)question->numcmp);
    } else if (question->action == BLE_SM_IOACT_INPUT) {
        say("enter passkey");
    } else if (question->action == BLE_SM_IOACT_DISP) {
        struct ble_sm_io answer = {.action = BLE_SM_IOACT_DISP, .passkey = random_passkey()};
        const int status = ble_sm_inject_io(peer.link, &answer);
        if (status != 0) {
            say("showing a passkey failed, %d", status);
            return;
        }
        say("passkey %06u", (unsigned)answer.passkey);
    }
}

int take_event(struct ble_gap_event *event, void *unused) {
    (void)unused;
    struct ble_gap_conn_desc link;
    int bonds = 0;
    switch (event->type) {
    case BLE_GAP_EVENT_CONNECT:
        if (event->connect.status != 0) {
            say("not connected, %d", event->connect.status);
            break;
        }
        peer.link = event->connect.conn_handle;
        ble_store_util_count(BLE_STORE_OBJ_TYPE_PEER_SEC, &bonds);
        peer.had_bond = bonds > 0;
        say("connected");
        if (peer.options.is_central) {
            discover();
        }
        break;
    case BLE_GAP_EVENT_DISCONNECT:
        peer.link = BLE_HS_CONN_HANDLE_NONE;
        say("disconnected 0x%02X", event->disconnect.reason & 0xFF);
        if (!peer.options.is_central) {
            advertise();
        }
        break;
    case BLE_GAP_EVENT_ENC_CHANGE:
        encryption_changed(event->enc_change.status);
        break;
    case BLE_GAP_EVENT_PASSKEY_ACTION:
        ask(&event->passkey.params);
        break;
    case BLE_GAP_EVENT_SUBSCRIBE:
        subscription_changed(event->subscribe.attr_handle, event->subscribe.cur_notify);
        break;
    case BLE_GAP_EVENT_NOTIFY_RX:
        take_notification(event->notify_rx.attr_handle, event->notify_rx.om);
        break;
    case BLE_GAP_EVENT_DISC:
        take_advertisement(&event->disc);
        break;
    case BLE_GAP_EVENT_REPEAT_PAIRING:
        // The phone has lost its bond, and makes another one.
        if (ble_gap_conn_find(event->repeat_pairing.conn_handle, &link) == 0) {
            ble_store_util_delete_peer(&link.peer_id_addr);
        }
        peer.had_bond = false;
        return BLE_GAP_REPEAT_PAIRING_RETRY;
    default:
        break;
    }
    return 0;
}

static void set_up_pairing(void) {
    static const uint8_t capabilities[] = {
        [HAS_NONE] = BLE_HS_IO_NO_INPUT_OUTPUT,
        [HAS_DISPLAY] = BLE_HS_IO_DISPLAY_ONLY,
        [HAS_KEYBOARD] = BLE_HS_IO_KEYBOARD_ONLY,
        [HAS_YESNO] = BLE_HS_IO_DISPLAY_YESNO,
    };
    ble_hs_cfg.sm_io_cap = capabilities[peer.options.io];
    ble_hs_cfg.sm_bonding = 1;
    ble_hs_cfg.sm_mitm = peer.options.io != HAS_NONE;
    ble_hs_cfg.sm_oob_data_flag = peer.options.has_oob;
    ble_hs_cfg.sm_sc = !peer.options.is_legacy;
    ble_hs_cfg.sm_our_key_dist = BLE_SM_PAIR_KEY_DIST_ENC | BLE_SM_PAIR_KEY_DIST_ID;
    ble_hs_cfg.sm_their_key_dist = BLE_SM_PAIR_KEY_DIST_ENC | BLE_SM_PAIR_KEY_DIST_ID;
    ble_hs_cfg.store_status_cb = ble_store_util_status_rr;
    ble_store_config_init();
}

static void answer(struct ble_sm_io io) {
    const int status = ble_sm_inject_io(peer.link, &io);
    if (status != 0) {
        // Who refuses gets the reason here, and no event.
        pairing_failed(status);
    }
}

static void obey(struct command command) {
    int status = 0;
    if (strcmp(command.word, "yes") == 0 || strcmp(command.word, "no") == 0) {
        answer((struct ble_sm_io){.action = BLE_SM_IOACT_NUMCMP, .numcmp_accept = command.word[0] == 'y'});
    } else if (strcmp(command.word, "type") == 0) {
        answer((struct ble_sm_io){
            .action = BLE_SM_IOACT_INPUT, .passkey = (uint32_t)strtoul(command.rest, NULL, 10)});
    } else if (strcmp(command.word, "notify") == 0) {
        status = notify(command.rest);
    } else if (strcmp(command.word, "connect") == 0) {
        status = look_for_phone();
    } else if (strcmp(command.word, "secure") == 0) {
        status = ble_gap_security_initiate(peer.link);
    } else if (strcmp(command.word, "disconnect") == 0) {
        status = ble_gap_terminate(peer.link, BLE_ERR_REM_USER_CONN_TERM);
    } else if (!use_characteristic(command, &status)) {
        say("unknown command %s", command.word);
    }
    if (status != 0) {
        say("%s failed, %d", command.word, status);
    }
}

int main(int count, char *words[]) {
    pthread_t socket_thread, host_thread;
    char line[128];
    peer.options = read_options(count, words);
    ble_hci_sock_set_device(atoi(peer.options.place));
    nimble_port_init();
    ble_svc_gap_init();
    ble_svc_gatt_init();
    ble_svc_gap_device_name_set("NimBLE");
    ble_att_set_preferred_mtu(PROGRAM_MTU);
    ble_hs_cfg.sync_cb = host_is_ready;
    ble_hs_cfg.reset_cb = host_was_reset;
    if (!peer.options.is_central) {
        add_services();
    }
    set_up_pairing();
    pthread_create(&socket_thread, NULL, run_socket, NULL);
    pthread_create(&host_thread, NULL, run_host, NULL);
    while (fgets(line, sizeof(line), stdin) != NULL) {
        obey(read_command(line));
    }
    return 0;
}
