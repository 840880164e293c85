import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The asking side of a conversation: numbers calls, and finds their answers, which may come in any order.
///
/// It knows nothing of the bytes around a message: frames, or lines.
package final class Caller<C: Call>: Sendable {
    private typealias Waiter = @Sendable (Result<Data, any Error>) -> Void

    private struct State {
        var lastID: UInt32 = 0
        var waiting: [UInt32: Waiter] = [:]
        var lost: (any Error)?
    }

    private let send: @Sendable (Data) -> Void
    private let unreadable: @Sendable (String) -> any Error
    private let state = Mutex(State())

    /// - Parameters:
    ///   - send: Queues a message; never waits.
    ///   - unreadable: Makes the error for a call whose answer cannot be decoded, from a description of the answer
    ///     without its values, which may be secret.
    package init(
        send: @escaping @Sendable (Data) -> Void, unreadable: @escaping @Sendable (String) -> any Error
    ) {
        (self.send, self.unreadable) = (send, unreadable)
    }

    /// Calls, and waits for the answer.
    ///
    /// - Parameters:
    ///   - callOff: Called with the number of the call when the task is cancelled. The call then still waits for its
    ///     answer; without it, the wait ends at once.
    /// - Throws: The failure that the answerer sent; the error of ``giveUp(_:)``, of a lost connection or of an
    ///   unreadable answer; `CancellationError`.
    @discardableResult
    package func ask<Value>(
        _ question: Question<C, Value>, callOff: (@Sendable (UInt32) -> Void)? = nil
    ) async throws -> Value {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let message = try JSONEncoder().encode(NumberedCall(id: id, call: question.call))
        let answer = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    // Inside the lock: a later cancellation finds the waiter.
                    if Task.isCancelled, callOff == nil { return CancellationError() }
                    if let lost = state.lost { return lost }
                    state.waiting[id] = { continuation.resume(with: $0) }
                    return nil
                }
                if let failure { return continuation.resume(throwing: failure) }
                send(message)
                // A call is called off after it was sent.
                if Task.isCancelled { callOff?(id) }
            }
        } onCancel: {
            if let callOff { return callOff(id) }
            waiter(id)?(.failure(CancellationError()))
        }
        let outcome: NumberedAnswer<Value, C.Failure>
        do { outcome = try JSONDecoder().decode(NumberedAnswer<Value, C.Failure>.self, from: answer) } catch {
            throw unreadable("\(answer.count) bytes: \(PlainText.reason(error))")
        }
        switch outcome.outcome {
        case .success(let value): return value
        case .failure(let failure): throw failure
        }
    }

    /// Takes a message of the other side. The call that it answers ends; its wait may have ended before.
    ///
    /// - Returns: False for a message without a number, which is no answer.
    package func take(_ message: Data) -> Bool {
        guard let id = (try? JSONDecoder().decode(CallNumber.self, from: message))?.id else { return false }
        waiter(id)?(.success(message))
        return true
    }

    /// Ends all waits of the calls so far with this error. The conversation goes on.
    package func giveUp(_ error: any Error) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiting { waiter(.failure(error)) }
    }

    /// Ends all waits with this error, and those of later calls at once.
    package func end(_ error: any Error) {
        state.withLock { $0.lost = error }
        giveUp(error)
    }

    private func waiter(_ id: UInt32) -> Waiter? { state.withLock { $0.waiting.removeValue(forKey: id) } }
}
