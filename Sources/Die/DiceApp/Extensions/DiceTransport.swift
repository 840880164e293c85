import AccessorySetupKit
import AccessoryTransportExtension
import DieProtocol

/// Carries sealed messages to and from the die: over Bluetooth, over the die's own network, or through the relay of the
/// die's maker. Through the relay, only receipts come back here; other messages of the die come by push.
package struct DiceTransport: AccessoryTransportAppExtension {
    /// The minimum time that a delivery waits for its receipt, in seconds.
    private let receiptLimit: Int

    package init() { self.init(receiptLimit: 5) }

    package init(receiptLimit: Int) { self.receiptLimit = receiptLimit }

    @AppExtensionPoint.Bind
    package static var boundExtensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-transport-extension")
    }

    package func accept(
        sessionRequest: AccessoryTransportSession.Request
    ) -> AccessoryTransportSession.Request.Decision {
        sessionRequest.accept { Deliveries(session: sessionRequest.session, receiptLimit: receiptLimit) }
    }
}

/// The deliveries of one session. Several are sent at once.
///
/// A message is delivered when its receipt or the receipt of a later one has arrived.
///
/// `@unchecked Sendable`: the channel is set by the initializer only, all other state is changed on the channel's
/// queue.
private final class Deliveries: AccessoryTransportSession.EventHandler, @unchecked Sendable {
    /// The slowest speed for large deliveries, in bytes per second: they may wait longer for a receipt.
    private static let slowest = 4_000
    /// How long to wait for a link before the system is asked to try another transport.
    private static let openLimit = DispatchTimeInterval.seconds(3)
    /// Over Bluetooth: how many deliveries in a row request no separate receipt while another receipt is awaited. A
    /// receipt costs the link and both sides nearly half as much time as a short message.
    private static let quietInRow = 7
    /// Over Bluetooth: after how many seconds of silence the die is asked for its latest receipt. More for large
    /// deliveries.
    private static let silenceLimit = 1

    private struct Delivery {
        /// Identifies the delivery in this session.
        let id: UInt64
        let message: TransportMessage
        let completion: @Sendable (AccessoryMessage.Result) -> Void
        /// The number in its receipt; nil before it is sent.
        var number: UInt32?
        /// Its size as sent, in bytes.
        var byteCount = 0
        /// Whether the time for its receipt has started, which happens when it is sent for the first time.
        var isTimed = false
    }

    private let session: AccessoryTransportSession
    private let receiptLimit: Int
    private var channel: (any MessageChannel)?
    private var isBluetooth: Bool { channel is DieMessageChannel }
    private var isOpen = false
    private var isOver = false
    private var numbering = DeliveryNumbering()
    private var lastID: UInt64 = 0
    /// The unanswered deliveries, in order. Those that were sent come first.
    private var deliveries: [Delivery] = []
    /// Names of messages that were lost with the link, until the phone sends them again or the link is back.
    private var lost: [Data] = []
    /// The last delivery that was sent before the die was asked for its latest receipt.
    private var asked: UInt64?
    /// When to ask the die if it stays silent; nil while no receipt is awaited.
    private var silenceEnd: DispatchTime?
    private var isListening = false

    init(session: AccessoryTransportSession, receiptLimit: Int) {
        (self.session, self.receiptLimit) = (session, receiptLimit)
        let take: @Sendable (ChannelEvent) -> Void = { [weak self] event in self?.take(event) }
        switch session.transport {
        case .bluetooth?, nil:
            let bluetooth = DieMessageChannel(
                DieGATT.notifications, restoredAs: session.transportStateRestoreIdentifier, tell: take)
            channel = bluetooth
            bluetooth.start()
        case .localNetwork?: channel = DieNetworkChannel(.localNetwork, tell: take)
        case .internet?:
            guard let token = session.pushToken else { break }
            let accessories = ASAccessorySession()
            // Before it is activated, it has no accessories, and the die cannot be reached.
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
            guard !isOver else { return completion(.failure(.transportUnavailable)) }
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

    /// Whether a message may wait for the link. It must not overtake messages that were lost with the link, if the
    /// phone did not know of the loss when it sent this one. The phone will send it again after them.
    private func isNext(_ message: TransportMessage) -> Bool {
        guard !lost.isEmpty else { return true }
        guard let place = lost.firstIndex(of: Self.name(of: message)) else {
            lost.append(Self.name(of: message))
            return false
        }
        lost.removeFirst(place + 1)
        return true
    }

    /// A name for a sealed message: its nonce, which no other message has.
    private static func name(of message: TransportMessage) -> Data { Data(message.data.prefix(12)) }

    func sessionInvalidated(error: AccessoryTransportSession.Error?) {
        channel?.queue.async { [self] in isOver = true }
        channel?.close()
    }

    // MARK: The die

    private func take(_ event: ChannelEvent) {
        guard !isOver else { return }
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
                // If the phone refuses the message, its log shows the reason. The die is not informed.
                try? session.sendMessageToDataProvider(TransportMessage(sessionID: feature, data: sealed))
            case .delivery?, .question?, nil: break
            }
        }
    }

    /// Handles a receipt. The die accepts deliveries in order, so it has all deliveries before this one.
    private func take(_ outcome: NotificationMessage.Outcome, of number: UInt32) {
        guard let place = deliveries.firstIndex(where: { $0.number == number }) else { return missed() }
        let upToIt = deliveries[...place].map(\.id)
        switch outcome {
        case .accepted, .repeated, .malformedContent:
            for id in upToIt { finish(id, .success) }
            // If no receipt will come for the remaining deliveries, ask for it.
            let sent = deliveries.compactMap(\.number)
            if !sent.isEmpty, sent.allSatisfy(Self.isQuiet) { ask() }
            listen()
        case .notOpened, .noKeys: for id in upToIt { finish(id, .failure(.transportFailed)) }
        case .outOfOrder: sendAgain()
        }
    }

    /// Handles a receipt that was already known. If the die was asked, the deliveries since that receipt were lost. If
    /// more were sent after the question, the die reports the loss itself.
    private func missed() {
        guard let asked, deliveries.last(where: { $0.number != nil })?.id == asked else { return }
        self.asked = nil
        sendAgain()
    }

    /// Sends all unanswered deliveries again, in order.
    private func sendAgain() {
        let sent = deliveries.filter { $0.number != nil }.map(\.id)
        for place in deliveries.indices { deliveries[place].number = nil }
        for id in sent { send(id) }
    }

    private func ask() {
        asked = deliveries.last { $0.number != nil }?.id
        guard asked != nil else { return }
        // If the link does not accept the question, it is lost, or the time for the receipt ends the wait.
        try? channel?.send(NotificationMessage.question.encoded)
    }

    /// Starts to measure how long the die is silent.
    private func listen() {
        guard isBluetooth else { return }
        let sent = deliveries.filter { $0.number != nil }
        let count = sent.reduce(0) { $0 + $1.byteCount }
        silenceEnd = sent.isEmpty ? nil : .now() + .seconds(Self.silenceLimit + count / Self.slowest)
        if !isListening { waitForSilence() }
    }

    /// Runs one timer for all deliveries. Its end moves with every delivery and receipt.
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
            // The deliveries before this one are carried first.
            let count = before.reduce(bytes.count) { $0 + $1.byteCount }
            let limit = DispatchTimeInterval.seconds(receiptLimit + count / Self.slowest)
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
