import Foundation
import Timing

extension ForwardingSession {
    /// What became of a message over one transport.
    private enum Passage {
        case arrived
        /// This transport is not there now, or has failed as often as it may.
        case next
        /// Bluetooth came back meanwhile: it is the better one.
        case bluetoothReturned
    }

    /// Bluetooth, local network, internet, as far as the accessory has them; a round without success is followed by a pause
    /// and another one, up to the tries that the policy allows (T1). Nothing else is on its way meanwhile.
    func deliver(_ flight: inout MessageFlight) async throws {
        let tries = max(1, link.policy.notificationTries)
        var (round, returns) = (1, 0)
        while true {
            try await waitForKeys()
            bluetoothReturned = false
            var passage = Passage.next
            for transport in transportsInOrder() where flight.failures[transport, default: 0] < tries {
                passage = try await deliver(&flight, over: transport)
                if case .next = passage { continue }
                break
            }
            switch passage {
            case .arrived: return
            // A link that comes and goes does not hold a message for ever.
            case .bluetoothReturned where returns < tries: returns += 1
            case .bluetoothReturned, .next:
                let isUsedUp = transportsInOrder().allSatisfy { flight.failures[$0, default: 0] >= tries }
                guard round < tries, !isUsedUp else { throw failure(of: flight, rounds: round) }
                try await pause(doubled: round - 1, untilBluetoothReturns: true)
                round += 1
            }
        }
    }

    private func failure(of flight: MessageFlight, rounds: Int) -> DeliveryFailure {
        let failures = flight.failures.values.max() ?? 0
        return DeliveryFailure(
            "a message of \(flight.byteCount) bytes", failures > 0 ? .transportFailed : .transportUnavailable,
            max(failures, rounds))
    }

    /// Every payload that is still to come, each tried again while the extension says `transportFailed`.
    private func deliver(_ flight: inout MessageFlight, over transport: ForwardingTransport) async throws -> Passage {
        let tries = max(1, link.policy.notificationTries)
        while let plaintext = flight.next(over: transport) {
            if transport != .bluetooth, bluetoothReturned { return .bluetoothReturned }
            let attempt = flight.failures[transport, default: 0] + 1
            switch try await hand(plaintext, of: &flight, over: transport, attempt: attempt) {
            case .success: break
            case .failure(.transportUnavailable): return .next
            case .failure(.transportFailed):
                flight.failures[transport] = attempt
                if attempt >= tries || transport == .bluetooth && isBluetoothLost && lanes.count > 1 { return .next }
                try await pause(doubled: attempt - 1, untilBluetoothReturns: transport != .bluetooth)
            }
        }
        return .arrived
    }

    private func hand(
        _ plaintext: Data, of flight: inout MessageFlight, over transport: ForwardingTransport, attempt: Int
    ) async throws -> ForwardingMessage.Result {
        let arrivals = arrivals[transport, default: 0]
        if let error = flight.takeReturn(over: transport, arrivals: arrivals, exchange: exchangeCount) {
            return .failure(error)
        }
        try await waitForKeys()
        guard let lane = lanes[transport] else { return .failure(.transportUnavailable) }
        guard let message = try sealed(plaintext, of: &flight, over: transport) else {
            await resynchronise("the keys have sealed as many messages as they may")
            return try await hand(plaintext, of: &flight, over: transport, attempt: attempt)
        }
        let question = lane.ask { handler, completion in handler.receive(message) { completion($0) } }
        let result = try await lane.answer(to: question, within: link.policy.extensionAnswerLimit)
        if result == .success { arrived(message, of: &flight, over: transport, attempt: attempt) }
        return result
    }

    /// The next payload of a message as it goes over this transport; nil without keys, or when they are used up.
    func sealed(
        _ plaintext: Data, of flight: inout MessageFlight, over transport: ForwardingTransport
    ) throws -> SealedMessage? {
        try flight.sealed(over: transport, exchange: exchangeCount) {
            try keys?.seal(plaintext, for: transport).map { SealedMessage(sessionID: id, data: $0) }
        }
    }

    /// The accessory has a payload.
    func arrived(
        _ message: SealedMessage, of flight: inout MessageFlight, over transport: ForwardingTransport, attempt: Int
    ) {
        flight.arrived(over: transport)
        arrivals[transport, default: 0] += 1
        record(.delivered(byteCount: message.data.count, attempt: attempt, over: transport))
    }

    /// The transports that there are, the best first; Bluetooth is left out while its link is known to be lost, unless it is
    /// the only one.
    func transportsInOrder() -> [ForwardingTransport] {
        let there = ForwardingTransport.allCases.filter { lanes[$0] != nil }
        return there.count > 1 && isBluetoothLost ? there.filter { $0 != .bluetooth } : there
    }

    // MARK: Pauses

    /// Waits before something is tried again, the pause of the policy doubled so many times.
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

    /// The radio told that the accessory's link came up or went.
    func linkChanged(isUp: Bool) {
        isBluetoothLost = !isUp
        record(.linkChanged(isUp: isUp))
        guard isUp else { return }
        bluetoothReturned = true
        for waiter in linkWaiters { waiter.finish() }
        linkWaiters = []
    }
}
