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
            X-Wing where both can; P-256 as the fallback; `localNetwork` and `internet` only with X-Wing: \
            anything else is refused with an error.
            """),
        Rule(
            "S4", [.seed],
            """
            The key schedule of HPKE as the seed has it: suites, info, exporter context, sizes on the wire.
            """),
        Rule(
            "S5", [.seed],
            """
            A message that does not open: close, forget the state, exchange keys again, and the notification \
            still arrives once.
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
            Bluetooth lost in the middle of a message: it arrives over Wi-Fi, once.
            """),
        Rule(
            "T3", [.seed],
            """
            One notification in several payloads.
            """),
        Rule(
            "T4", [.seed],
            """
            Larger than one ATT packet: split and joined, in order, for any MTU from 23 up.
            """),
        Rule(
            "T5", [.inferred],
            """
            A radio that is switched off in the middle of a message is a lost link: the message takes the next \
            transport, or is tried again once the radio is on, and arrives once; the keys stay good.
            """),
    ]
}
