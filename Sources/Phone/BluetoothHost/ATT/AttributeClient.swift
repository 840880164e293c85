/// The client half of an ATT bearer: requests one after the other, commands, notifications and indications.
///
/// One client belongs to one link. It begins connected; after ``linkEnded(because:)`` it ignores all input.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.3.
package struct AttributeClient: Sendable {
    /// The values that differ between phones.
    package struct Configuration: Sendable, Hashable {
        /// The MTU that the phone can receive, in bytes. Both halves of a bearer offer the same one.
        package var offeredMTU: UInt16 = 527
        /// The MTU before an exchange, in bytes: 23 on LE, 48 on BR/EDR. Source: Vol 3, Part G, 5.2.1.
        package var defaultMTU = 23
        /// How long a request waits for its response. Source: Vol 3, Part F, 3.3.3.
        package var transactionLimit: Duration = .seconds(30)
        /// Whether an indication is confirmed when it arrives. If not, ``AttributeClient/confirm()`` does it.
        package var confirmsAtOnce = true

        package init() {}
    }

    /// Names a request.
    package struct Token: Sendable, Hashable {
        let number: Int
    }

    package enum Output: Sendable, Hashable {
        /// A PDU for the server.
        case send([UInt8])
        /// The response to a request.
        case answered(Token, ATTPDU)
        /// The Error Response to a request. The request comes with it, for another try.
        case refused(Token, ATTError, handle: UInt16, request: ATTPDU)
        /// A request failed without an answer of the server, for example because the link has ended.
        case failed(Token, String)
        /// The server left a request unanswered.
        case timedOut(Token, String)
        case notified(handle: UInt16, value: [UInt8])
        case indicated(handle: UInt16, value: [UInt8])
        /// The MTU of the bearer, in bytes.
        case mtuChanged(Int)
        /// The server broke the protocol.
        case violation(String)
        /// Something odd without harm.
        case note(String)
        /// The bearer cannot be used any longer.
        case linkMustEnd(String)
    }

    struct Request: Sendable {
        let token: Token
        let pdu: ATTPDU
        /// The purpose of the request, in the words of the layer above.
        let context: String

        /// `reading 2A19 (Read Request, handle 0x0012)`.
        var text: String { "\(context) (\(pdu))" }
    }

    package let configuration: Configuration
    /// The longest PDU on this bearer, in bytes.
    package internal(set) var mtu: Int
    /// Whether the client has sent its one Exchange MTU Request.
    package private(set) var hasAskedForMTU = false
    /// Handles whose indications wait for ``confirm()`` in any case, such as Service Changed on a plain link.
    package var withheldHandles: Set<UInt16> = []
    var outstanding: (request: Request, deadline: Duration)?
    /// The handle of the indication without a confirmation.
    package internal(set) var unconfirmed: UInt16?
    /// Why the bearer is over; nil before.
    var end: String?
    private var waiting: [Request] = []
    private var tokens = 0

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        mtu = max(23, configuration.defaultMTU)
    }

    /// The number of requests without an answer, sent or not.
    package var pendingRequests: Int { waiting.count + (outstanding == nil ? 0 : 1) }
}

extension AttributeClient {
    /// Sends a request when all earlier ones have their answers. The client can take it back only with the link.
    ///
    /// - Parameters:
    ///   - context: Its purpose, for people: `reading 2A19`.
    ///   - isNext: Whether it comes before all requests that wait.
    package mutating func request(
        _ pdu: ATTPDU, for context: String, isNext: Bool = false, at now: Duration
    ) -> (token: Token, outputs: [Output]) {
        tokens += 1
        let request = Request(token: Token(number: tokens), pdu: pdu, context: context)
        if let reason = end ?? refusal(of: pdu) { return (request.token, [.failed(request.token, reason)]) }
        if case .exchangeMTURequest = pdu { hasAskedForMTU = true }
        waiting.insert(request, at: isNext ? 0 : waiting.count)
        return (request.token, sendNext(at: now))
    }

    /// Offers the phone's MTU. A second exchange fails: Vol 3, Part F, 3.4.2.1.
    package mutating func exchangeMTU(at now: Duration) -> (token: Token, outputs: [Output]) {
        request(.exchangeMTURequest(mtu: configuration.offeredMTU), for: "exchanging the MTU", at: now)
    }

    /// Sends a command at once; the server does not answer it.
    package mutating func command(_ pdu: ATTPDU) -> [Output] {
        guard end == nil else { return [] }
        guard pdu.opcode.kind == .command else { return [.note("\(pdu) was not sent: it is not a command")] }
        let bytes = pdu.bytes
        guard bytes.count <= mtu else {
            return [.note("\(pdu) was not sent: it has \(bytes.count) bytes, the MTU is \(mtu)")]
        }
        return [.send(bytes)]
    }

    /// Confirms the last indication.
    package mutating func confirm() -> [Output] {
        guard end == nil, unconfirmed != nil else { return [] }
        unconfirmed = nil
        return [.send(ATTPDU.confirmation.bytes)]
    }

    private func refusal(of pdu: ATTPDU) -> String? {
        if pdu.opcode.kind != .request { return "\(pdu) is not a request" }
        if case .exchangeMTURequest = pdu, hasAskedForMTU { return "the MTU is exchanged once per link" }
        return nil
    }

    mutating func sendNext(at now: Duration) -> [Output] {
        var outputs: [Output] = []
        while outstanding == nil, end == nil, !waiting.isEmpty {
            let request = waiting.removeFirst()
            let bytes = request.pdu.bytes
            guard bytes.count <= mtu else {
                outputs.append(
                    .failed(request.token, "\(request.text) has \(bytes.count) bytes; the MTU is \(mtu)"))
                continue
            }
            outstanding = (request, now + configuration.transactionLimit)
            outputs.append(.send(bytes))
        }
        return outputs
    }
}

extension AttributeClient {
    /// When the outstanding request times out.
    package var deadline: Duration? { outstanding?.deadline }

    package mutating func advance(to now: Duration) -> [Output] {
        guard let (request, deadline) = outstanding, deadline <= now else { return [] }
        outstanding = nil
        let limit = configuration.transactionLimit.components.seconds
        let text = "\(request.text) had no answer within \(limit) s"
        return [.timedOut(request.token, text), .linkMustEnd(text)] + linkEnded(because: text)
    }

    /// Ends the bearer: with its link, or after a time-out of either half.
    ///
    /// - Returns: The failure of each request without an answer.
    package mutating func linkEnded(because reason: String) -> [Output] {
        guard end == nil else { return [] }
        end = reason
        let failed = (outstanding.map { [$0.request] } ?? []) + waiting
        outstanding = nil
        waiting = []
        unconfirmed = nil
        return failed.map { .failed($0.token, "\($0.text) failed: \(reason)") }
    }
}
