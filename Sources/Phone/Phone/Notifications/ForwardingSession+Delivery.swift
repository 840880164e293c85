import Foundation
import HILTiming

extension ForwardingSession {
    /// The outcome of a message over one transport.
    private enum Outcome {
        case arrived
        /// The transport is not available, or has failed as often as the policy allows: try the next transport.
        case next
        /// Bluetooth came back in the meantime, and is preferred.
        case bluetoothReturned
    }

    /// Delivers a message over the accessory's transports in turn: Bluetooth, local network, internet.
    ///
    /// After a round without success it pauses and starts another round, up to the policy's number of tries (T1). The
    /// caller makes sure that no other message is unanswered.
    func deliver(_ flight: inout MessageFlight) async throws {
        let tries = max(1, link.policy.notificationTries)
        var (round, returns) = (1, 0)
        while true {
            try await waitForKeys()
            try await waitForTransport()
            bluetoothReturned = false
            var outcome = Outcome.next
            for transport in transportsInOrder() where flight.failures(of: transport) < tries {
                outcome = try await deliver(&flight, over: transport)
                if case .next = outcome { continue }
                break
            }
            switch outcome {
            case .arrived: return
            // The limit keeps an unstable link from delaying a message forever.
            case .bluetoothReturned where returns < tries: returns += 1
            case .bluetoothReturned, .next:
                let isUsedUp =
                    !isLaunchingTransport && transportsInOrder().allSatisfy { flight.failures(of: $0) >= tries }
                guard round < tries, !isUsedUp else { throw failure(of: flight, rounds: round) }
                try await pause(doubled: round - 1, untilBluetoothReturns: true)
                round += 1
            }
        }
    }

    private func failure(of flight: MessageFlight, rounds: Int) -> DeliveryFailure {
        let failures = AccessoryTransport.allCases.map { flight.nextAttempt(over: $0) - 1 }.max() ?? 0
        return DeliveryFailure(
            "a message of \(flight.byteCount) bytes", failures > 0 ? .transportFailed : .transportUnavailable,
            max(failures, rounds))
    }

    /// Delivers the remaining payloads over one transport. Retries a payload while the extension answers
    /// `transportFailed`.
    private func deliver(_ flight: inout MessageFlight, over transport: AccessoryTransport) async throws -> Outcome {
        let tries = max(1, link.policy.notificationTries)
        while let plaintext = flight.next(over: transport) {
            if transport != .bluetooth, bluetoothReturned { return .bluetoothReturned }
            let attempt = flight.nextAttempt(over: transport)
            switch try await sendOnce(plaintext, of: &flight, over: transport, attempt: attempt) {
            case .success: break
            case .failure(.transportUnavailable): return .next
            case .failure(.transportFailed):
                let conditions = MessageFlight.Conditions(
                    exchanges: exchangeCount, links: transport == .bluetooth ? linkCount : 0, launches: launchCount)
                flight.failed(over: transport, under: conditions, pardons: tries)
                let failures = flight.failures(of: transport)
                let isLost = transport == .bluetooth && isBluetoothLost && processes.count > 1
                if failures >= tries || isLost { return .next }
                try await pause(doubled: failures - 1, untilBluetoothReturns: transport != .bluetooth)
            }
        }
        return .arrived
    }

    private func sendOnce(
        _ plaintext: Data, of flight: inout MessageFlight, over transport: AccessoryTransport, attempt: Int
    ) async throws -> AccessoryMessage.Result {
        let arrivals = arrivals[transport, default: 0]
        if let error = flight.takeEarlyFailure(over: transport, arrivals: arrivals, exchange: exchangeCount) {
            return .failure(error)
        }
        try await waitForKeys()
        guard let process = processes[transport] else { return .failure(.transportUnavailable) }
        guard let message = try sealed(plaintext, of: &flight, over: transport) else {
            await resynchronise("the keys have reached their limit of sealed messages")
            return try await sendOnce(plaintext, of: &flight, over: transport, attempt: attempt)
        }
        let call = process.call(holding: message.data.count) { handler, completion in
            handler.receive(message) { completion($0) }
        }
        let result = try await process.answer(to: call, within: link.policy.extensionAnswerLimit)
        if result == .success { arrived(message, of: &flight, over: transport, attempt: attempt) }
        return result
    }

    /// Seals the next payload of a message for this transport; nil without keys, or if they have reached their limit.
    func sealed(
        _ plaintext: Data, of flight: inout MessageFlight, over transport: AccessoryTransport
    ) throws -> TransportMessage? {
        try flight.sealed(over: transport, exchange: exchangeCount) {
            try keys?.seal(plaintext, for: transport).map { TransportMessage(sessionID: id, data: $0) }
        }
    }

    /// Notes that the accessory has received a payload.
    func arrived(
        _ message: TransportMessage, of flight: inout MessageFlight, over transport: AccessoryTransport, attempt: Int
    ) {
        flight.arrived(over: transport)
        arrivals[transport, default: 0] += 1
        record(.delivered(byteCount: message.data.count, attempt: attempt, over: transport))
    }

    /// The available transports, best first. Bluetooth is left out while its link is known to be lost, unless it is the
    /// only transport.
    func transportsInOrder() -> [AccessoryTransport] {
        let available = AccessoryTransport.allCases.filter { processes[$0] != nil }
        return available.count > 1 && isBluetoothLost ? available.filter { $0 != .bluetooth } : available
    }

    // MARK: Pauses

    /// Waits before a retry.
    ///
    /// - Parameters:
    ///   - count: How often the policy's pause is doubled.
    ///   - untilBluetoothReturns: Whether the pause ends early when the Bluetooth link is back.
    func pause(doubled count: Int, untilBluetoothReturns: Bool) async throws {
        let length = link.policy.notificationRetryPause * (1 << min(max(count, 0), 16))
        guard untilBluetoothReturns else { return try await link.clock.sleep(for: length) }
        guard !bluetoothReturned else { return }
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        linkWaiters.append(continuation)
        do {
            try await withDeadline(length, waitingFor: "Bluetooth to be back", clock: link.clock) {
                for await _ in stream {}
                try Task.checkCancellation()
            }
        } catch is TimedOut {}
        continuation.finish()
    }

    /// Handles the radio's report that the accessory's link came up or was lost.
    func linkChanged(isUp: Bool) {
        isBluetoothLost = !isUp
        record(.linkChanged(isUp: isUp))
        guard isUp else { return }
        linkCount += 1
        bluetoothReturned = true
        for waiter in linkWaiters { waiter.finish() }
        linkWaiters = []
    }
}
