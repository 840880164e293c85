import Foundation

/// One message of a data provider's on its way: what of it is there already, and as which bytes it was sealed.
struct MessageFlight {
    /// One payload, by the transport that it names and its place among those.
    private struct Part: Hashable {
        let named: ForwardingTransport
        let place: Int
    }

    /// How a part was sealed, and under the keys of which exchange.
    private struct Seal {
        let message: SealedMessage
        let exchange: Int
    }

    /// A transport that did not take the message while it was one of several on their way.
    struct Return {
        let transport: ForwardingTransport
        let error: ForwardingMessage.Error
        /// How many messages had arrived over the transport by then, and how many exchanges of keys had ended well.
        let (arrivals, exchange): (Int, Int)
    }

    /// Of its way among others, until it goes alone.
    var returned: Return?
    /// How often a transport failed, by transport.
    var failures: [ForwardingTransport: Int] = [:]
    private let payloads: [ForwardingTransport: [Data]]
    private let firstNamed: ForwardingTransport
    private var delivered: [ForwardingTransport: Int] = [:]
    private var seals: [Part: [Bool: Seal]] = [:]

    /// - Parameter hasAlternatives: ``HostPolicy/payloadsAreAlternatives``.
    init(_ message: ForwardingMessage, hasAlternatives: Bool) {
        let first = message.payloads.first?.transport ?? .bluetooth
        payloads = Dictionary(grouping: message.payloads) { hasAlternatives ? $0.transport : first }
            .mapValues { $0.map(\.data) }
        firstNamed = first
    }

    /// Whether it has one payload, whichever way it goes.
    var isSingle: Bool { payloads.values.allSatisfy { $0.count == 1 } }

    /// The bytes of all payloads.
    var byteCount: Int { payloads.values.joined().reduce(0) { $0 + $1.count } }

    /// What this transport said last, while others were on their way; once, and not where another message has arrived over it
    /// since, or keys were exchanged: that counts for as much as a pause.
    mutating func takeReturn(
        over transport: ForwardingTransport, arrivals: Int, exchange: Int
    ) -> ForwardingMessage.Error? {
        defer { returned = nil }
        guard let returned,
            (returned.transport, returned.arrivals, returned.exchange) == (transport, arrivals, exchange)
        else { return nil }
        return returned.error
    }

    /// What payloads are to go over a transport: those that name it; if there are none, those of the transport named first.
    private func named(over transport: ForwardingTransport) -> ForwardingTransport {
        payloads[transport] == nil ? firstNamed : transport
    }

    /// The next payload to go over this transport; nil once all are there.
    func next(over transport: ForwardingTransport) -> Data? {
        let named = named(over: transport)
        let place = delivered[named, default: 0]
        guard let group = payloads[named], place < group.count else { return nil }
        return group[place]
    }

    /// The next payload, sealed.
    ///
    /// Repeated it is the same bytes, over Bluetooth and the local network alike, so that the accessory knows a repetition;
    /// over the internet other bytes, as its keys are others; and new ones under new keys.
    mutating func sealed(
        over transport: ForwardingTransport, exchange: Int, by seal: () throws -> SealedMessage?
    ) rethrows -> SealedMessage? {
        let named = named(over: transport)
        let part = Part(named: named, place: delivered[named, default: 0])
        let known = seals[part]?[transport == .internet]
        if let known, known.exchange == exchange { return known.message }
        guard let message = try seal() else { return nil }
        seals[part, default: [:]][transport == .internet] = Seal(message: message, exchange: exchange)
        return message
    }

    /// The accessory has the payload that went over this transport.
    mutating func arrived(over transport: ForwardingTransport) {
        let named = named(over: transport)
        seals[Part(named: named, place: delivered[named, default: 0])] = nil
        delivered[named, default: 0] += 1
    }
}

/// A message that did not reach the accessory.
struct DeliveryFailure: Error, Sendable, CustomStringConvertible {
    let what: String
    let reason: ForwardingMessage.Error
    let tries: Int

    init(_ what: String, _ reason: ForwardingMessage.Error, _ tries: Int) {
        self.what = what
        self.reason = reason
        self.tries = tries
    }

    var description: String { "\(what) was not delivered, \(tries) tried: the extension said \(reason)" }
}
