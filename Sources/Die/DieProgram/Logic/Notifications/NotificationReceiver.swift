import DieProtocol
import FoundationEssentials

/// The die's side of notification forwarding: received segments in, segments to send and changes of the screen out.
///
/// It uses no radio: the owner of the GATT server passes on written values and sends the results. Keys and screen
/// outlive a connection; incomplete messages do not.
package struct NotificationReceiver: Sendable {
    /// Something to do after a received message, in this order.
    package enum Action: Sendable, Equatable {
        /// Send a segment as a notification of this characteristic.
        case notify(DieGATT.Characteristic, Data)
        /// Send a message over the network, to the sender of the received message.
        case answer(NotificationMessage)
        /// The screen changed. It shows these notifications now, oldest first.
        case screen([NotificationContent])
        /// Alert to a notification that was just added.
        case alert(NotificationContent)
        /// Keys were exchanged. The text is the name of the suite.
        case keysExchanged(cipherSuite: String)
        /// The phone no longer forwards notifications, and the keys were forgotten.
        case keysForgotten
        /// A received message was refused. The text says which and why.
        case refused(String)
    }

    var keys = AccessoryKeys()
    private var securityJoiner = GATTFraming.Joiner()
    var notificationJoiner = GATTFraming.Joiner()
    var order = DeliverySequence()
    /// The answer to a question over Bluetooth: the receipt of the latest delivery over the current link.
    var latestReceipt = NotificationReceiver.nothingCame
    /// The answer before the first delivery.
    private static let nothingCame = NotificationMessage.receipt(number: 0, .outOfOrder)
    var current = NotificationScreen()

    /// The cipher suites of the die, the best first. If empty, no keys are exchanged.
    package var suites: [KeyExchangeMessage.CipherSuite] = [.xWing, .p256]
    /// The transports by which the die can receive now. Transports other than Bluetooth need X-Wing (S3).
    package var transports: KeyExchangeMessage.Transports = .bluetooth
    /// The relay mailbox for the phone with which it has exchanged keys; nil if there is none.
    ///
    /// It is kept when a message did not open, because the new keys are for the same phone.
    package private(set) var mailbox: UUID?
    /// The next faults, each once, in this order.
    package var misbehaviour: [DieConfiguration.Misbehaviour] = []
    /// Whether an exchange is due that could not be sent without a link.
    var owesExchange = false
    /// The ATT MTU of the link of the last write in bytes, 23 to 517.
    package internal(set) var mtu = 23
    /// The suite of the last exchange.
    private var suite: KeyExchangeMessage.CipherSuite?

    /// A die without keys and with an empty screen.
    package init() {}

    /// The notifications on the screen, oldest first, without the data of their pictures.
    package var screen: [NotificationContent] { current.notifications }

    /// The pictures of a notification on the screen.
    package func pictures(of notification: NotificationIdentifier) -> [ShownPicture] {
        current.pictures[notification] ?? []
    }

    /// A phone connected or disconnected: drops incomplete messages.
    package mutating func linkChanged() {
        securityJoiner = GATTFraming.Joiner()
        notificationJoiner = GATTFraming.Joiner()
        order = DeliverySequence()
        latestReceipt = Self.nothingCame
        mtu = 23
    }

    /// A phone subscribed to ``DieProtocol/DieGATT/security``. If an exchange is due, starts it.
    package mutating func securitySubscribed() -> [Action] {
        owesExchange ? startKeyExchange(mtu: mtu) : []
    }

    /// Forgets the phone's keys, and shows nothing of its notifications any more.
    package mutating func forgetPhone() -> [Action] {
        keys.forget()
        mailbox = nil
        return current.apply(.removeAll) ? [.screen([])] : []
    }

    /// Starts an exchange without a request, with the suite of the last one: makes a key pair and sends its public key.
    ///
    /// - Parameter mtu: The ATT MTU of the link in bytes, 23 to 517.
    package mutating func startKeyExchange(mtu: Int) -> [Action] {
        guard let suite = suite ?? suites.first else { return [.refused("key exchange: the die has no cipher suite")] }
        return startKeyExchange(suite, mtu: mtu)
    }

    private mutating func startKeyExchange(_ suite: KeyExchangeMessage.CipherSuite, mtu: Int) -> [Action] {
        self.suite = suite
        do {
            if let offer = try wrongPublicKeyMessage(suite) { return try segments(offer, DieGATT.security, mtu: mtu) }
            let key = try keys.makeKeyPair(suite)
            let transports = suite == .xWing ? transports.union(.bluetooth) : .bluetooth
            return send(.publicKey(suite, .version1, transports, identifier: nil, key: key), mtu: mtu)
        } catch {
            return [.refused("key exchange: no key pair of \(suite.name) could be made: \(error)")]
        }
    }

    /// Handles a value written to ``DieProtocol/DieGATT/security``.
    ///
    /// - Parameter mtu: The ATT MTU of the link in bytes, 23 to 517.
    package mutating func receiveSecurity(_ segment: Data, mtu: Int) -> [Action] {
        self.mtu = mtu
        do {
            guard let joined = try securityJoiner.join(segment) else { return [] }
            return answer(try KeyExchangeMessage(decoding: joined), mtu: mtu)
        } catch {
            return [.refused("security exchange: \(error)")] + send(.result(.malformed), mtu: mtu)
        }
    }

    private mutating func answer(_ message: KeyExchangeMessage, mtu: Int) -> [Action] {
        switch message {
        case .keyRequest(let suite, .version1, _) where suites.contains(suite):
            return startKeyExchange(suite, mtu: mtu)
        case .keyRequest(let suite, _, _):
            return [.refused("key request: the die has no \(suite.name)")] + send(.result(.unsupportedSuite), mtu: mtu)
        case .encapsulatedKey(let suite, .version1, let identifier, let key):
            let outcome = keys.accept(suite, identifier: identifier, encapsulatedKey: key)
            guard outcome == .keysReady else {
                return [.refused("encapsulated key: \(outcome)")] + send(.result(outcome), mtu: mtu)
            }
            owesExchange = false
            // P-256 is for Bluetooth only (S3).
            mailbox = suite == .xWing ? UUID(uuidString: identifier) : nil
            return [.keysExchanged(cipherSuite: suite.name)] + send(.result(.keysReady), mtu: mtu)
        case .end:
            owesExchange = false
            return [.keysForgotten] + forgetPhone()
        case .publicKey, .result:
            return [.refused("security exchange: a message that only the die sends")]
                + send(.result(.malformed), mtu: mtu)
        }
    }

    func send(_ message: KeyExchangeMessage, mtu: Int) -> [Action] {
        do {
            return try segments(message.encoded(), DieGATT.security, mtu: mtu)
        } catch {
            return [.refused("own security message: \(error)")]
        }
    }

    func send(_ message: NotificationMessage, mtu: Int) -> [Action] {
        do {
            return try segments(message.encoded, DieGATT.notifications, mtu: mtu)
        } catch {
            return [.refused("own notification message: \(error)")]
        }
    }

    private func segments(
        _ message: Data, _ characteristic: DieGATT.Characteristic, mtu: Int
    ) throws(DieProtocolError) -> [Action] {
        try GATTFraming.split(message, segmentLength: GATTFraming.segmentLength(mtu: mtu))
            .map { .notify(characteristic, $0) }
    }
}
