import Foundation

extension ForwardingSession {
    /// Seals a message and delivers its payloads, after every message that was sent before.
    ///
    /// - Throws: ``ForwardingMessage/Error`` if the transport did not take it, `TimedOut` without keys.
    func send(_ message: ForwardingMessage) async throws {
        let previous = lastDelivery
        let delivery = Task {
            _ = await previous?.result
            for payload in message.payloads { try await self.deliver(payload.data) }
        }
        lastDelivery = delivery
        do {
            try await delivery.value
        } catch let failure as DeliveryFailure {
            record(.failed("\(failure)"))
            throw failure.reason
        }
    }

    /// Bluetooth is the one transport of a P-256 session (S3): where it is not, there is no next one.
    private func deliver(_ plaintext: Data) async throws {
        var sealed: (message: SealedMessage, keys: Int)?
        let outcome = await withRetries(of: "a message of \(plaintext.count) bytes") { attempt in
            try await self.waitForKeys()
            sealed = try self.seal(plaintext, unlessDoneIn: sealed)
            guard let message = sealed?.message else { return .failure(.transportFailed) }
            let result = try await self.transport.answer(
                within: self.link.policy.extensionAnswerLimit
            ) { handler, completion in
                handler.receive(message) { completion($0) }
            }
            if result == .success { self.record(.delivered(byteCount: message.data.count, attempt: attempt)) }
            return result
        }
        try outcome.get()
    }

    /// A repeated message is the same bytes, which the accessory knows as a repetition, unless the keys have changed.
    private func seal(
        _ plaintext: Data, unlessDoneIn sealed: (message: SealedMessage, keys: Int)?
    ) throws -> (message: SealedMessage, keys: Int) {
        guard case .ready(var current, let number) = keys else { throw ForwardingError.ended }
        if let sealed, sealed.keys == number { return sealed }
        let data = try current.seal(plaintext, session: id)
        keys = .ready(current, number: number)
        return (SealedMessage(sessionID: id, data: data), number)
    }
}
