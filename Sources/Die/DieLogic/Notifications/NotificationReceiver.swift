import DieControl
import DieProtocol
import FoundationEssentials

/// The die's side of notification forwarding: received segments in, segments to send and changes of the screen out.
///
/// It touches no radio: whoever runs the GATT server hands on what was written, and sends what comes back.
/// Keys and screen outlive a connection; half-received messages do not.
package struct NotificationReceiver: Sendable {
    /// What is to be done after something was received, in this order.
    package enum Action: Sendable, Equatable {
        /// Send one segment as a notification of this characteristic.
        case notify(DieGATT.Characteristic, Data)
        /// Send a message over the network: back where the received one came from.
        case answer(NotificationMessage)
        /// The screen changed: everything that it shows now, oldest first.
        case screen([NotificationContent])
        /// Draw attention to a notification that was just added.
        case alert(NotificationContent)
        /// Keys were exchanged; the text names the suite.
        case keysExchanged(cipherSuite: String)
        /// The phone forwards nothing any more, and the keys are forgotten.
        case keysForgotten
        /// Something that was received was refused; the text says what and why.
        case refused(String)
    }

    var keys = AccessoryKeys()
    private var securityJoiner = GATTFraming.Joiner()
    var notificationJoiner = GATTFraming.Joiner()
    var order = DeliveryOrder()
    /// What a phone is told that asks over Bluetooth: the receipt of the latest delivery that was taken over its link.
    var latestReceipt = NotificationReceiver.nothingCame
    /// What it is told before the first.
    private static let nothingCame = NotificationMessage.receipt(number: 0, .outOfOrder)
    var current = NotificationScreen()

    /// The cipher suites that the die has, the best first; with none it exchanges no keys.
    package var suites: [KeyExchangeMessage.CipherSuite] = [.xWing, .p256]
    /// The ways by which the die can receive now; more than Bluetooth counts with X-Wing only (S3).
    package var transports: KeyExchangeMessage.Transports = .bluetooth
    /// Where the phone that it has exchanged keys with posts to on the relay; nil while there is none.
    ///
    /// It outlives keys that did not open a message: new ones are made for the same phone.
    package private(set) var mailbox: UUID?
    /// What it does wrong next, each once, in this order.
    package var misbehaviour: [DieConfiguration.Misbehaviour] = []
    /// Whether an exchange is due that no phone heard of, as there was no link.
    var owesExchange = false
    /// The ATT_MTU of the link over which something was written last, 23 to 517.
    package internal(set) var mtu = 23
    /// The suite of the last exchange.
    private var suite: KeyExchangeMessage.CipherSuite?

    /// A die without keys and with an empty screen.
    package init() {}

    /// What the screen shows, oldest first, without the pictures' data.
    package var screen: [NotificationContent] { current.notifications }

    /// The pictures of a notification on the screen.
    package func pictures(of notification: NotificationIdentifier) -> [ShownPicture] {
        current.pictures[notification] ?? []
    }

    /// A phone connected or went: what was half received is dropped.
    package mutating func linkChanged() {
        securityJoiner = GATTFraming.Joiner()
        notificationJoiner = GATTFraming.Joiner()
        order = DeliveryOrder()
        latestReceipt = Self.nothingCame
        mtu = 23
    }

    /// A phone subscribed to ``DieProtocol/DieGATT/security``: it hears of an exchange that fell due without a link.
    package mutating func securitySubscribed() -> [Action] {
        owesExchange ? startKeyExchange(mtu: mtu) : []
    }

    /// Forgets the keys, as when the bond with the phone is deleted.
    package mutating func forgetKeys() {
        keys.forget()
        mailbox = nil
    }

    /// Starts an exchange unasked, of the suite of the last one: a new key pair, and its public key to the phone.
    ///
    /// - Parameter mtu: the link's ATT_MTU, 23 to 517.
    package mutating func startKeyExchange(mtu: Int) -> [Action] {
        guard let suite = suite ?? suites.first else { return [.refused("key exchange: the die has no cipher suite")] }
        return startKeyExchange(suite, mtu: mtu)
    }

    private mutating func startKeyExchange(_ suite: KeyExchangeMessage.CipherSuite, mtu: Int) -> [Action] {
        self.suite = suite
        do {
            if let offer = try wrongOffer(suite) { return try segments(offer, DieGATT.security, mtu: mtu) }
            let key = try keys.makeKeyPair(suite)
            let transports = suite == .xWing ? transports.union(.bluetooth) : .bluetooth
            return send(.publicKey(suite, .version1, transports, identifier: nil, key: key), mtu: mtu)
        } catch {
            return [.refused("key exchange: no key pair of \(suite.name) could be made: \(error)")]
        }
    }

    /// Takes a value written to ``DieProtocol/DieGATT/security``.
    ///
    /// - Parameter mtu: the link's ATT_MTU, 23 to 517.
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
            // P-256 is for Bluetooth alone (S3).
            mailbox = suite == .xWing ? UUID(uuidString: identifier) : nil
            return [.keysExchanged(cipherSuite: suite.name)] + send(.result(.keysReady), mtu: mtu)
        case .end:
            forgetKeys()
            owesExchange = false
            return [.keysForgotten] + (current.apply(.removeAll) ? [.screen([])] : [])
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
