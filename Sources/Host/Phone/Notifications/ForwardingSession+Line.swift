import Foundation
import Timing

extension ForwardingSession {
    /// Delivers a message, after every message that was sent before. To cancel the caller's task gives it up.
    ///
    /// - Throws: ``ForwardingMessage/Error`` if no transport took it, `TimedOut` without keys, ``ForwardingError/ended``.
    func send(_ message: ForwardingMessage) async throws {
        let number = line.join()
        let telling = Telling.current
        telling?.sendBegan()
        // Whoever is told of the next notification meanwhile sends after this one.
        AddTurn.current?.end()
        let delivery = Task { try await self.deliver(message, as: number) }
        deliveries[number] = delivery
        defer { deliveries[number] = nil }
        do {
            try await withTaskCancellationHandler {
                try await delivery.value
            } onCancel: {
                delivery.cancel()
            }
            telling?.sendArrived()
        } catch let failure as DeliveryFailure {
            record(.failed("\(failure)"))
            throw failure.reason
        } catch is CancellationError where isOver {
            throw ForwardingError.ended
        }
    }

    private func deliver(_ message: ForwardingMessage, as number: Int) async throws {
        defer {
            line.settled(number)
            lineMoved()
        }
        guard !message.payloads.isEmpty else { return }
        var flight = MessageFlight(message, hasAlternatives: link.policy.payloadsAreAlternatives)
        if try await arrivesAmongOthers(&flight, as: number) { return }
        try await turn { self.line.isAlone(number) }
        try await deliver(&flight)
    }

    /// Hands a short message over while others are still unanswered, once.
    ///
    /// - Returns: Whether the accessory has it; if not it is to go alone, in its turn.
    private func arrivesAmongOthers(_ flight: inout MessageFlight, as number: Int) async throws -> Bool {
        let limit = link.policy.notificationsInFlight
        guard limit > 1, flight.isSingle, flight.byteCount <= link.policy.sharedFlightBytes else { return false }
        repeat {
            try await turn { self.line.mayLeave(number, among: limit) }
            try await waitForKeys()
            // While keys were exchanged one before may have come back.
        } while !line.mayLeave(number, among: limit)
        guard let transport = transportsInOrder().first, let lane = lanes[transport],
            let plaintext = flight.next(over: transport),
            let message = try sealed(plaintext, of: &flight, over: transport)
        else { return false }
        // Asked before anything is waited for: in the order in which they leave they reach the extension.
        let question = lane.ask { handler, completion in handler.receive(message) { completion($0) } }
        line.left(number)
        lineMoved()
        switch try await lane.answer(to: question, within: link.policy.extensionAnswerLimit) {
        case .success:
            arrived(message, of: &flight, over: transport, attempt: 1)
            return true
        case .failure(let error):
            flight.returned = MessageFlight.Return(
                transport: transport, error: error, arrivals: arrivals[transport, default: 0], exchange: exchangeCount)
            line.returned(number)
            lineMoved()
            return false
        }
    }

    /// Returns once `isIts` holds.
    private func turn(_ isIts: () -> Bool) async throws {
        while !isIts() {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            lineWaiters.append(continuation)
            for await _ in stream {}
            try Task.checkCancellation()
        }
    }

    private func lineMoved() {
        for waiter in lineWaiters { waiter.finish() }
        lineWaiters = []
    }
}

/// The turn of a notification to be told to the data provider: it ends with the first message that is sent for it.
final class AddTurn: Sendable {
    /// Of the notification that this task is told of.
    @TaskLocal static var current: AddTurn?

    private let ends: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (ends, continuation) = AsyncStream.makeStream() }

    /// Ends it; harmless when repeated.
    func end() { continuation.finish() }

    /// Returns when it has ended. For one task only.
    func wait() async { for await _ in ends {} }
}
