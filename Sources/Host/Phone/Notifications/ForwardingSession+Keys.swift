import Timing

extension ForwardingSession {
    /// Takes the accessory's public key from the security extension, at any time (S2).
    nonisolated func receive(_ message: KeyMessage) throws(SecurityPortError) {
        guard !hasEnded.withLock({ $0 }) else { throw .invalidated }
        do {
            let keys = try PhoneKeys(answering: message, peripheral: peripheral)
            record(.publicKeyReceived(message.cipherSuite))
            publicKeys.yield(keys)
        } catch {
            record(.exchangeFailed("\(message) refused: \(error)"))
            throw error
        }
    }

    /// Hands the encapsulated key to the accessory. From its public key on, nothing is sealed under older keys.
    func exchange(_ fresh: PhoneKeys) async {
        guard !hasEnded.withLock({ $0 }) else { return }
        keys = .exchanging
        let answer = fresh.answer
        let outcome = await withRetries(of: "the encapsulated key") { _ in
            try await self.security.answer(within: self.link.policy.extensionAnswerLimit) { handler, completion in
                handler.receive(answer) { completion($0) }
            }
        }
        guard !hasEnded.withLock({ $0 }) else { return }
        do {
            try outcome.get()
            exchangeCount += 1
            keys = .ready(fresh, number: exchangeCount)
            record(.keysExchanged(answer.cipherSuite))
            wakeKeyWaiters()
        } catch {
            keys = .none
            record(.exchangeFailed("\(error)"))
        }
    }

    /// Returns once there are keys to seal with.
    ///
    /// - Throws: `TimedOut` if there are none in time, ``ForwardingError/ended`` if the session ends meanwhile.
    func waitForKeys() async throws {
        while true {
            guard !hasEnded.withLock({ $0 }) else { throw ForwardingError.ended }
            if case .ready = keys { return }
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            keyWaiters.append(continuation)
            try await withDeadline(
                link.policy.keyExchangeLimit, waitingFor: "keys to be exchanged with the accessory", clock: link.clock
            ) {
                for await _ in stream {}
                try Task.checkCancellation()
            }
        }
    }

    func wakeKeyWaiters() {
        for waiter in keyWaiters { waiter.finish() }
        keyWaiters = []
    }

    /// Tries again, after a pause that doubles, while an extension says `transportFailed` (T1).
    ///
    /// - Parameter body: one try; it gets the try's number, from 1.
    func withRetries(
        of what: String, _ body: (Int) async throws -> ForwardingMessage.Result
    ) async -> Result<Void, any Error> {
        var pause = link.policy.notificationRetryPause
        let tries = max(1, link.policy.notificationTries)
        do {
            for attempt in 1...tries {
                switch try await body(attempt) {
                case .success: return .success(())
                case .failure(.transportUnavailable): throw DeliveryFailure(what, .transportUnavailable, attempt)
                case .failure(.transportFailed) where attempt == tries:
                    throw DeliveryFailure(what, .transportFailed, attempt)
                case .failure(.transportFailed):
                    try await link.clock.sleep(for: pause)
                    pause *= 2
                }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
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
