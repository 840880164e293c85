import Foundation
import HILTiming

extension ForwardingSession {
    /// Delivers a message of the data provider after all messages that were sent before it. Cancelling the caller's task
    /// gives the message up.
    ///
    /// - Parameter run: The process that sends it. Once it has ended, nothing is sent.
    /// - Throws: ``AccessoryMessage/Error`` if no transport delivered it, `TimedOut` without keys,
    ///   ``ForwardingError/ended``.
    func send(_ message: AccessoryMessage, from run: ExtensionRun) async throws {
        let progress = CommandProgress.current
        run.holds(message.payloads.reduce(0) { $0 + $1.data.count }, limit: link.policy.extensionMemoryLimit)
        guard run.isRunning else {
            progress?.sendWasRefused()
            throw ForwardingError.ended
        }
        progress?.sendBegan()
        let number = queue.append()
        // Messages for the next notification are queued behind this one.
        AddSlot.current?.end()
        let delivery = Task { try await self.deliver(message, as: number) }
        deliveries[number] = delivery
        defer { deliveries[number] = nil }
        run.reached(.send)
        do {
            try await withTaskCancellationHandler {
                try await delivery.value
            } onCancel: {
                delivery.cancel()
            }
            progress?.sendArrived()
        } catch let failure as DeliveryFailure {
            record(.failed("\(failure)"))
            throw failure.reason
        } catch is CancellationError where isOver {
            throw ForwardingError.ended
        }
    }

    private func deliver(_ message: AccessoryMessage, as number: Int) async throws {
        defer {
            queue.remove(number)
            wakeQueueWaiters()
        }
        guard !message.payloads.isEmpty else { return }
        var flight = MessageFlight(message, hasAlternatives: link.policy.payloadsAreAlternatives)
        if try await deliverBesideOthers(&flight, as: number) { return }
        try await wait { self.queue.isAlone(number) }
        try await deliver(&flight)
    }

    /// Tries once to deliver a short message while others are still unanswered.
    ///
    /// - Returns: Whether the accessory has received it. If not, it must be delivered alone when it is first in the
    ///   queue.
    private func deliverBesideOthers(_ flight: inout MessageFlight, as number: Int) async throws -> Bool {
        let limit = link.policy.notificationsInFlight
        guard limit > 1, flight.isSingle, flight.byteCount <= link.policy.sharedFlightBytes else { return false }
        repeat {
            try await wait { self.queue.maySend(number, limit: limit) }
            try await waitForKeys()
            // A message before this one may have failed during the key exchange.
        } while !queue.maySend(number, limit: limit)
        guard let transport = transportsInOrder().first, let process = processes[transport],
            let plaintext = flight.next(over: transport),
            let message = try sealed(plaintext, of: &flight, over: transport)
        else { return false }
        // Called before the next suspension point, so that messages reach the extension in the order of the queue.
        let call = process.call(holding: message.data.count) { handler, completion in
            handler.receive(message) { completion($0) }
        }
        queue.markSent(number)
        wakeQueueWaiters()
        switch try await process.answer(to: call, within: link.policy.extensionAnswerLimit) {
        case .success:
            arrived(message, of: &flight, over: transport, attempt: 1)
            return true
        case .failure(let error):
            flight.earlyFailure = MessageFlight.EarlyFailure(
                transport: transport, error: error, arrivals: arrivals[transport, default: 0], exchange: exchangeCount)
            queue.markFailed(number)
            wakeQueueWaiters()
            return false
        }
    }

    /// Waits until a condition on the queue holds.
    private func wait(until holds: () -> Bool) async throws {
        while !holds() {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            queueWaiters.append(continuation)
            for await _ in stream {}
            try Task.checkCancellation()
        }
    }

    private func wakeQueueWaiters() {
        for waiter in queueWaiters { waiter.finish() }
        queueWaiters = []
    }
}

/// The turn of a new notification at the data provider. It ends with the first message that the provider sends for it.
final class AddSlot: Sendable {
    /// The turn of the notification that the current task works on.
    @TaskLocal static var current: AddSlot?

    private let ends: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (ends, continuation) = AsyncStream.makeStream() }

    /// Ends the turn. Further calls have no effect.
    func end() { continuation.finish() }

    /// Returns when the turn has ended. Only one task may wait.
    func wait() async { for await _ in ends {} }
}
