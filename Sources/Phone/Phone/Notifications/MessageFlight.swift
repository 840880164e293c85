import Foundation

/// The delivery of one message: which payloads have arrived, and the sealed bytes of the others.
struct MessageFlight {
    /// A payload, by the transport that it names and its index among the payloads that name this transport.
    private struct Part: Hashable {
        let named: AccessoryTransport
        let index: Int
    }

    /// A sealed part, with the number of the key exchange that its keys are from.
    private struct Seal {
        let message: TransportMessage
        let exchange: Int
    }

    /// The failure of a message that was sent while others were unanswered.
    struct EarlyFailure {
        let transport: AccessoryTransport
        let error: AccessoryMessage.Error
        /// At that time: the number of messages delivered over the transport, and of successful key exchanges.
        let (arrivals, exchange): (Int, Int)
    }

    /// The conditions for the success of a transport.
    struct Conditions: Equatable {
        /// The number of successful key exchanges, how often the accessory's link has come up, and how often an
        /// extension was launched again.
        let (exchanges, links, launches): (Int, Int, Int)
    }

    /// The failures of one transport.
    private struct Failures {
        /// How many there were, and how many of them count.
        var (total, counted) = (0, 0)
        /// The conditions of the last one.
        var conditions: Conditions?
        /// How often earlier failures stopped counting.
        var pardons = 0
    }

    /// The failure while others were unanswered, until the message is sent alone.
    var earlyFailure: EarlyFailure?
    private var failures: [AccessoryTransport: Failures] = [:]
    private let payloads: [AccessoryTransport: [Data]]
    private let firstNamed: AccessoryTransport
    private var delivered: [AccessoryTransport: Int] = [:]
    private var seals: [Part: [Bool: Seal]] = [:]

    /// - Parameter hasAlternatives: ``HostPolicy/payloadsAreAlternatives``.
    init(_ message: AccessoryMessage, hasAlternatives: Bool) {
        let first = message.payloads.first?.transport ?? .bluetooth
        payloads = Dictionary(grouping: message.payloads) { hasAlternatives ? $0.transport : first }
            .mapValues { $0.map(\.data) }
        firstNamed = first
    }

    /// Whether it has one payload for each transport.
    var isSingle: Bool { payloads.values.allSatisfy { $0.count == 1 } }

    /// The length of all payloads together, in bytes.
    var byteCount: Int { payloads.values.joined().reduce(0) { $0 + $1.count } }

    /// How many failures of a transport count.
    func failures(of transport: AccessoryTransport) -> Int { failures[transport]?.counted ?? 0 }

    /// The number of the next attempt over a transport: 1 is the first.
    func nextAttempt(over transport: AccessoryTransport) -> Int { (failures[transport]?.total ?? 0) + 1 }

    /// Notes a failure of a transport.
    ///
    /// Earlier failures no longer count if keys were exchanged, the link has come up, or an extension was launched again
    /// since then: an accessory or an extension that restarts causes these, and the transport works again. This happens `limit` times at most, so that an unstable link
    /// does not delay a message forever.
    mutating func failed(over transport: AccessoryTransport, under conditions: Conditions, pardons limit: Int) {
        var known = failures[transport] ?? Failures()
        known.total += 1
        if let before = known.conditions, before != conditions, known.pardons < limit {
            known.pardons += 1
            known.counted = 0
        }
        known.counted += 1
        known.conditions = conditions
        failures[transport] = known
    }

    /// The failure of this transport while other messages were unanswered. Returns it only once.
    ///
    /// Nil if another message has arrived over the transport since then, or keys were exchanged: then a retry needs no
    /// pause.
    mutating func takeEarlyFailure(
        over transport: AccessoryTransport, arrivals: Int, exchange: Int
    ) -> AccessoryMessage.Error? {
        defer { earlyFailure = nil }
        guard let failure = earlyFailure,
            (failure.transport, failure.arrivals, failure.exchange) == (transport, arrivals, exchange)
        else { return nil }
        return failure.error
    }

    /// Selects the payloads for a transport: those that name it, or else those of the transport that is named first.
    private func named(over transport: AccessoryTransport) -> AccessoryTransport {
        payloads[transport] == nil ? firstNamed : transport
    }

    /// The next payload to send over this transport; nil once all have arrived.
    func next(over transport: AccessoryTransport) -> Data? {
        let named = named(over: transport)
        let index = delivered[named, default: 0]
        guard let group = payloads[named], index < group.count else { return nil }
        return group[index]
    }

    /// The next payload, sealed; nil if `seal` gives nil.
    ///
    /// A retry over Bluetooth or the local network sends the same bytes, so that the accessory recognises the
    /// repetition. The internet has its own keys and so its own bytes. After a new key exchange the payload is sealed
    /// again.
    mutating func sealed(
        over transport: AccessoryTransport, exchange: Int, by seal: () throws -> TransportMessage?
    ) rethrows -> TransportMessage? {
        let named = named(over: transport)
        let part = Part(named: named, index: delivered[named, default: 0])
        let known = seals[part]?[transport == .internet]
        if let known, known.exchange == exchange { return known.message }
        guard let message = try seal() else { return nil }
        seals[part, default: [:]][transport == .internet] = Seal(message: message, exchange: exchange)
        return message
    }

    /// Notes that the accessory has received the payload that was sent over this transport.
    mutating func arrived(over transport: AccessoryTransport) {
        let named = named(over: transport)
        seals[Part(named: named, index: delivered[named, default: 0])] = nil
        delivered[named, default: 0] += 1
    }
}

/// The error of a message that did not reach the accessory.
struct DeliveryFailure: Error, Sendable, CustomStringConvertible {
    let what: String
    let reason: AccessoryMessage.Error
    let tries: Int

    init(_ what: String, _ reason: AccessoryMessage.Error, _ tries: Int) {
        self.what = what
        self.reason = reason
        self.tries = tries
    }

    var description: String { "\(what) was not delivered, \(tries) tried: the extension said \(reason)" }
}
