import AccessorySetupKit
import AccessoryTransportExtension
import DieProtocol

/// Carries sealed messages to the die, and its messages back: over Bluetooth, over the die's own network, or through the
/// relay of the die's maker; over that, only receipts come back here, and the rest by push.
package struct DiceTransport: AccessoryTransportAppExtension {
    package init() {}

    @AppExtensionPoint.Bind
    package static var boundExtensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-transport-extension")
    }

    package func accept(
        sessionRequest: AccessoryTransportSession.Request
    ) -> AccessoryTransportSession.Request.Decision {
        sessionRequest.accept { Deliveries(session: sessionRequest.session) }
    }
}

/// One session's deliveries, several at once. A message counts as delivered when the die's receipt is there, or that of a later
/// one.
///
/// `@unchecked Sendable`: everything that changes does so on the channel's queue.
private final class Deliveries: AccessoryTransportSession.EventHandler, @unchecked Sendable {
    /// How long the die may take to acknowledge a delivery: the least, and how fast a larger one is carried at the slowest,
    /// bytes a second.
    private static let (receiptLimit, slowest) = (5, 4_000)
    /// How long a link that is not there may take to come, before the system is told to try another way.
    private static let openLimit = DispatchTimeInterval.seconds(3)
    /// How many in a row, over Bluetooth, go without a receipt of their own while another's is awaited: a receipt takes the
    /// link and both ends nearly half as long as a short message.
    private static let quietInRow = 7
    /// How long the die may be silent, over Bluetooth, until it is asked what came, in seconds; more where more is on its way.
    private static let silenceLimit = 1

    private struct Delivery {
        /// Names it here.
        let id: UInt64
        let message: TransportMessage
        let completion: @Sendable (AccessoryMessage.Result) -> Void
        /// What its receipt repeats, once it is sent.
        var number: UInt32?
        /// As it was sent.
        var byteCount = 0
        /// Whether its receipt is waited for already, since it was sent first.
        var isTimed = false
    }

    private let session: AccessoryTransportSession
    private var channel: (any MessageChannel)?
    private var isBluetooth: Bool { channel is DieChannel }
    private var isOpen = false
    private var numbering = DeliveryNumbering()
    private var lastID: UInt64 = 0
    /// Those that were not answered yet, in order; those that were sent come first.
    private var deliveries: [Delivery] = []
    /// What was lost with the link, until the phone hands it over again or the link is back.
    private var lost: [Data] = []
    /// The last that was sent before the die was asked.
    private var asked: UInt64?
    /// When the die is asked, if it is silent until then; nil while nothing is awaited.
    private var silenceEnd: DispatchTime?
    private var isListening = false

    init(session: AccessoryTransportSession) {
        self.session = session
        let take: @Sendable (ChannelEvent) -> Void = { [weak self] event in self?.take(event) }
        switch session.transport {
        case .bluetooth?, nil: channel = DieChannel(DieGATT.notifications, tell: take)
        case .localNetwork?: channel = DieNetworkChannel(.localNetwork, tell: take)
        case .internet?:
            guard let token = session.pushToken else { break }
            let accessories = ASAccessorySession()
            // Until it is activated it has none, and the die cannot be reached this way.
            accessories.activate(on: DispatchQueue(label: "die.mailbox")) { _ in }
            let route = DieRoute.internet(
                to: { accessories.accessories.first?.bluetoothIdentifier }, token: token)
            channel = DieNetworkChannel(route, tell: take)
        }
    }

    // MARK: The phone

    func messageReceived(
        _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
    ) {
        guard let channel else { return completion(.failure(.transportUnavailable)) }
        channel.queue.sync {
            guard isOpen || isNext(message) else { return completion(.failure(.transportFailed)) }
            lastID += 1
            let id = lastID
            deliveries.append(Delivery(id: id, message: message, completion: completion))
            if isOpen { return send(id) }
            channel.queue.asyncAfter(deadline: .now() + Self.openLimit) { [weak self] in
                guard let self, deliveries.contains(where: { $0.id == id && $0.number == nil }) else { return }
                finish(id, .failure(.transportUnavailable))
            }
            channel.open()
        }
    }

    /// Whether a message may wait for the link: not before those that were lost with it, of which the phone had not heard when
    /// it handed over this one. It hands it over again after them.
    private func isNext(_ message: TransportMessage) -> Bool {
        guard !lost.isEmpty else { return true }
        guard let place = lost.firstIndex(of: Self.name(of: message)) else {
            lost.append(Self.name(of: message))
            return false
        }
        lost.removeFirst(place + 1)
        return true
    }

    /// The bytes of a sealed message that no other begins with: its nonce.
    private static func name(of message: TransportMessage) -> Data { Data(message.data.prefix(12)) }

    func sessionInvalidated(error: AccessoryTransportSession.Error?) {
        channel?.close()
        channel = nil
    }

    // MARK: The die

    private func take(_ event: ChannelEvent) {
        switch event {
        case .opened:
            isOpen = true
            lost = []
            for delivery in deliveries { send(delivery.id) }
        case .lost:
            isOpen = false
            lost += deliveries.map { Self.name(of: $0.message) }
            finishAll(.failure(.transportFailed))
        case .unavailable:
            isOpen = false
            finishAll(.failure(.transportUnavailable))
        case .message(let bytes):
            switch try? NotificationMessage(decoding: bytes) {
            case .receipt(let number, let outcome)?: take(outcome, of: number)
            case .message(let feature, let sealed)?:
                // What the phone does not take is in its log, and the die has nobody to be told.
                try? session.sendMessageToDataProvider(TransportMessage(sessionID: feature, data: sealed))
            case .delivery?, .question?, nil: break
            }
        }
    }

    /// The die takes deliveries in order: who has one has those before it.
    private func take(_ outcome: NotificationMessage.Outcome, of number: UInt32) {
        guard let place = deliveries.firstIndex(where: { $0.number == number }) else { return missed() }
        let upToIt = deliveries[...place].map(\.id)
        switch outcome {
        case .accepted, .repeated, .malformedContent:
            for id in upToIt { finish(id, .success) }
            // If none will come by itself, the rest's receipt is asked for.
            let sent = deliveries.compactMap(\.number)
            if !sent.isEmpty, sent.allSatisfy(Self.isQuiet) { ask() }
            listen()
        case .notOpened, .noKeys: for id in upToIt { finish(id, .failure(.transportFailed)) }
        case .outOfOrder: sendAgain()
        }
    }

    /// The die told again what it has had last. If it was asked, what was sent since did not come; if more was sent after the
    /// question, the die says so by itself.
    private func missed() {
        guard let asked, deliveries.last(where: { $0.number != nil })?.id == asked else { return }
        self.asked = nil
        sendAgain()
    }

    /// Sends all again that are unanswered, in order.
    private func sendAgain() {
        let sent = deliveries.filter { $0.number != nil }.map(\.id)
        for place in deliveries.indices { deliveries[place].number = nil }
        for id in sent { send(id) }
    }

    private func ask() {
        asked = deliveries.last { $0.number != nil }?.id
        guard asked != nil else { return }
        // A link that does not take it is lost, or the receipt's limit ends the wait.
        try? channel?.send(NotificationMessage.question.encoded)
    }

    /// From now on the die is silent.
    private func listen() {
        guard isBluetooth else { return }
        let sent = deliveries.filter { $0.number != nil }
        let count = sent.reduce(0) { $0 + $1.byteCount }
        silenceEnd = sent.isEmpty ? nil : .now() + .seconds(Self.silenceLimit + count / Self.slowest)
        if !isListening { waitForSilence() }
    }

    /// One timer for all of them, which moves with what is sent and heard.
    private func waitForSilence() {
        isListening = silenceEnd != nil
        guard let silenceEnd else { return }
        channel?.queue.asyncAfter(deadline: silenceEnd) { [weak self] in
            guard let self else { return }
            if let end = self.silenceEnd, end <= .now() {
                isListening = false
                ask()
                listen()
            } else {
                waitForSilence()
            }
        }
    }

    private static func isQuiet(_ number: UInt32) -> Bool { number & DeliveryNumbering.isQuiet != 0 }

    private func send(_ id: UInt64) {
        guard let channel, let place = deliveries.firstIndex(where: { $0.id == id && $0.number == nil }) else { return }
        let message = deliveries[place].message
        let before = deliveries[..<place].filter { $0.number != nil }
        let numbers = before.compactMap(\.number)
        let quietCount = numbers.reversed().prefix(while: Self.isQuiet).count
        let number = numbering.next(
            afterUnanswered: !before.isEmpty,
            isQuiet: isBluetooth && quietCount < Self.quietInRow && quietCount < numbers.count)
        let bytes = NotificationMessage.delivery(number: number, session: message.sessionID, sealed: message.data)
            .encoded
        do {
            try channel.send(bytes)
            deliveries[place].number = number
            deliveries[place].byteCount = bytes.count
            listen()
            guard !deliveries[place].isTimed else { return }
            deliveries[place].isTimed = true
            // Those before are carried first.
            let count = before.reduce(bytes.count) { $0 + $1.byteCount }
            let limit = DispatchTimeInterval.seconds(Self.receiptLimit + count / Self.slowest)
            channel.queue.asyncAfter(deadline: .now() + limit) { [weak self] in
                self?.finish(id, .failure(.transportFailed))
            }
        } catch { finish(id, .failure(.transportFailed)) }
    }

    private func finishAll(_ result: AccessoryMessage.Result) {
        for delivery in deliveries { finish(delivery.id, result) }
    }

    private func finish(_ id: UInt64, _ result: AccessoryMessage.Result) {
        guard let place = deliveries.firstIndex(where: { $0.id == id }) else { return }
        deliveries.remove(at: place).completion(result)
    }
}
