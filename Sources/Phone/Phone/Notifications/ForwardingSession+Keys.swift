import HILTiming

extension ForwardingSession {
    /// Accepts the accessory's public key from the security extension. It may come at any time (S2).
    ///
    /// - Throws: ``SecurityPortError`` if the session has ended or the key cannot be used.
    nonisolated func receive(_ message: SecurityMessage) throws(SecurityPortError) {
        guard !isOver else { throw .invalidated }
        do {
            let keys = try PhoneKeys(answering: message, peripheral: peripheral, session: id)
            record(.publicKeyReceived(message.cipherSuite))
            publicKeys.yield(keys)
        } catch {
            record(.exchangeFailed("\(message) refused: \(error)"))
            throw error
        }
    }

    /// Sends the encapsulated key to the accessory. Once its public key has arrived, no message is sealed under older
    /// keys.
    func exchange(_ fresh: PhoneKeys) async {
        guard !isOver else { return }
        keys = fresh
        hasKeys = false
        let answer = fresh.answer
        do {
            try await sendToAccessory(answer)
            guard !isOver else { return }
            await launchTransports(answer.supportedTransports)
            guard !isOver else { return }
            exchangeCount += 1
            hasKeys = true
            record(.keysExchanged(answer.cipherSuite))
            wakeKeyWaiters()
        } catch {
            guard !isOver else { return }
            keys = nil
            record(.exchangeFailed("\(error)"))
        }
    }

    /// Sends a key message through the security extension. Retries while it answers `transportFailed`; the pause
    /// doubles.
    private func sendToAccessory(_ answer: SecurityMessage) async throws {
        let tries = max(1, link.policy.notificationTries)
        for attempt in 1...tries {
            try await waitForLaunch(of: .security)
            let call = security.call { handler, completion in handler.receive(answer) { completion($0) } }
            let result = try await security.answer(to: call, within: link.policy.extensionAnswerLimit)
            switch result {
            case .success: return
            case .failure(.transportFailed) where attempt < tries:
                try await pause(doubled: attempt - 1, untilBluetoothReturns: false)
            case .failure(let reason): throw DeliveryFailure("the encapsulated key", reason, attempt)
            }
        }
    }

    /// Returns when there are keys to seal messages with.
    ///
    /// - Throws: `TimedOut` if there are no keys within `keyExchangeLimit`, ``ForwardingError/ended`` if the session
    ///   ends first.
    func waitForKeys() async throws {
        while true {
            guard !isOver else { throw ForwardingError.ended }
            if hasKeys { return }
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
}
