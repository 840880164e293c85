import AccessorySetupKit
import AccessoryTransportExtension
import DieProtocol

/// Carries sealed messages to the die, and its messages back: over Bluetooth, over the die's own network, or through the
/// relay of the die's maker; over that, only receipts come back here, and the rest by push.
public struct DiceTransport: AccessoryTransportAppExtension {
    public init() {}

    @AppExtensionPoint.Bind
    public static var boundExtensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-transport-extension")
    }

    public func accept(
        sessionRequest: AccessoryTransportSession.Request
    ) -> AccessoryTransportSession.Request.Decision {
        sessionRequest.accept { Deliveries(session: sessionRequest.session) }
    }
}

/// One session's deliveries. A message counts as delivered when the die's receipt is there.
///
/// `@unchecked Sendable`: everything that changes does so on the channel's queue.
private final class Deliveries: AccessoryTransportSession.EventHandler, @unchecked Sendable {
    /// How long the die may take to acknowledge a delivery: the least, and how fast a larger one is carried at the slowest,
    /// bytes a second.
    private static let (receiptLimit, slowest) = (5, 4_000)
    /// How long a link that is not there may take to come, before the system is told to try another way.
    private static let openLimit = DispatchTimeInterval.seconds(3)

    private struct Delivery {
        let message: NotificationMessage
        let completion: @Sendable (AccessoryMessage.Result) -> Void
        var isSent = false
    }

    private let session: AccessoryTransportSession
    private var channel: (any MessageChannel)?
    private var isOpen = false
    private var lastNumber: UInt32 = 0
    private var deliveries: [UInt32: Delivery] = [:]

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
            lastNumber &+= 1
            let number = lastNumber
            let delivery = NotificationMessage.delivery(
                number: number, session: message.sessionID, sealed: message.data)
            deliveries[number] = Delivery(message: delivery, completion: completion)
            if isOpen { return send(number) }
            channel.queue.asyncAfter(deadline: .now() + Self.openLimit) { [weak self] in
                if self?.deliveries[number]?.isSent == false { self?.finish(number, .failure(.transportUnavailable)) }
            }
            channel.open()
        }
    }

    func sessionInvalidated(error: AccessoryTransportSession.Error?) {
        channel?.close()
        channel = nil
    }

    // MARK: The die

    private func take(_ event: ChannelEvent) {
        switch event {
        case .opened:
            isOpen = true
            for number in deliveries.keys.sorted() { send(number) }
        case .lost:
            isOpen = false
            finishAll(.failure(.transportFailed))
        case .unavailable:
            isOpen = false
            finishAll(.failure(.transportUnavailable))
        case .message(let bytes):
            switch try? NotificationMessage(decoding: bytes) {
            case .receipt(let number, .accepted)?, .receipt(let number, .repeated)?,
                .receipt(let number, .malformedContent)?:
                finish(number, .success)
            case .receipt(let number, .notOpened)?, .receipt(let number, .noKeys)?:
                finish(number, .failure(.transportFailed))
            case .message(let feature, let sealed)?:
                // What the phone does not take is in its log, and the die has nobody to be told.
                try? session.sendMessageToDataProvider(TransportMessage(sessionID: feature, data: sealed))
            case .delivery?, nil: break
            }
        }
    }

    private func send(_ number: UInt32) {
        guard let channel, let delivery = deliveries[number], !delivery.isSent else { return }
        do {
            let bytes = delivery.message.encoded
            try channel.send(bytes)
            deliveries[number]?.isSent = true
            let limit = DispatchTimeInterval.seconds(Self.receiptLimit + bytes.count / Self.slowest)
            channel.queue.asyncAfter(deadline: .now() + limit) { [weak self] in
                self?.finish(number, .failure(.transportFailed))
            }
        } catch { finish(number, .failure(.transportFailed)) }
    }

    private func finishAll(_ result: AccessoryMessage.Result) {
        for number in deliveries.keys.sorted() { finish(number, result) }
    }

    private func finish(_ number: UInt32, _ result: AccessoryMessage.Result) {
        deliveries.removeValue(forKey: number)?.completion(result)
    }
}
