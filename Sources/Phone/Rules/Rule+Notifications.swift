extension Rule {
    /// Notifications on an accessory: forwarding, keys, transports.
    static let notifications: [Rule] = [
        Rule(
            "N1", [.seed],
            """
            `requestForwarding` shows a prompt; the person allows all apps, some, or none; `forwardingStatus` \
            remembers; asking for an accessory that is not set up is an error.
            """),
        Rule(
            "N2", [.seed],
            """
            A notification reaches the handler only if its app was allowed.
            """),
        Rule(
            "N3", [.seed],
            """
            `addNotification` (a throw counts as not alerted), `updateNotification` (never alerts), \
            `removeNotification`, `removeAllNotifications`; the accessory's screen ends in the same state as the \
            phone's.
            """),
        Rule(
            "N4", [.seed],
            """
            The alerting context follows the app's permission, the Focus, silent mode, and calls.
            """),
        Rule(
            "N5", [.seed],
            """
            Actions and text replies travel back from the accessory to the handler (`messageHandler`) and on to \
            the app.
            """),
        Rule(
            "N6", [.seed],
            """
            Removing the accessory, or revoking the permission, ends the session on both sides and the keys are \
            forgotten.
            """),
        Rule(
            "N7", [.seed],
            """
            An extension of Accessory Notifications names its extension point under `EXAppExtensionAttributes`, and needs \
            the entitlement of that point.
            """),
        Rule(
            "S1", [.seed],
            """
            `accept(sessionRequest:)` may accept or reject; rejected means no session and a clear reason.
            """),
        Rule(
            "S2", [.seed],
            """
            The accessory makes a key pair and sends the public key; the phone answers with the encapsulated key \
            through `messageReceived`; a new public key at any time starts a new exchange.
            """),
        Rule(
            "S3", [.seed],
            """
            X-Wing if both ends support it, else P-256; `localNetwork` and `internet` only with X-Wing: \
            anything else is refused with an error.
            """),
        Rule(
            "S4", [.seed],
            """
            The key schedule of HPKE is as in the seed: suites, info, exporter context, sizes on the wire.
            """),
        Rule(
            "S5", [.seed],
            """
            A message that cannot be opened: close the session, forget its state and exchange keys again; the \
            notification still arrives once.
            """),
        Rule(
            "S6", [.seed],
            """
            No plaintext of a notification is ever on the air: the capture is searched for it.
            """),
        Rule(
            "S7", [.seed],
            """
            No nonce is used twice with a key; a replayed message is dropped.
            """),
        Rule(
            "T1", [.seed],
            """
            `transportFailed` is retried; `transportUnavailable` goes to the next transport; a handler that \
            never answers counts as delivered.
            """),
        Rule(
            "T2", [.seed],
            """
            Bluetooth is lost in the middle of a message: the message arrives over Wi-Fi, once.
            """),
        Rule(
            "T3", [.seed],
            """
            One notification can travel in several payloads.
            """),
        Rule(
            "T4", [.seed],
            """
            A message that is larger than one ATT packet is split and joined, in order, for any MTU from 23 up.
            """),
        Rule(
            "T5", [.inferred],
            """
            A radio is switched off in the middle of a message: this counts as a lost link. The message takes the next \
            transport, or is sent again once the radio is on, and arrives once; the keys stay valid.
            """),
        Rule(
            "T6", [.inferred],
            """
            The process of an extension ends at any moment, by a crash or at its memory limit, without a call into it: it is             launched again, with pauses. The session keeps its identifier and its keys, what the process had in hand is             repeated, and a central manager with `transportStateRestoreIdentifier` takes over its link.
            """),
    ]
}
