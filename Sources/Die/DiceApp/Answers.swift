/// Lets code wait for answers that come as calls of a delegate.
///
/// If several wait for the same key, the first to ask gets the first answer.
@MainActor
final class Answers<Key: Hashable, Value: Sendable> {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Value, any Error>
    }

    private var waiting: [Key: [Waiter]] = [:]
    private var lastNumber = 0

    nonisolated init() {}

    /// Asks, then waits for the answer. `ask` is called when the waiter is registered.
    func wait(for key: Key, asking ask: () -> Void = {}) async throws -> Value {
        lastNumber += 1
        let number = lastNumber
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[key, default: []].append(Waiter(number: number, continuation: continuation))
                ask()
            }
        } onCancel: {
            Task { @MainActor in self.cancel(number) }
        }
    }

    /// Gives the answer to the first waiter. Does nothing if there is none.
    func give(_ result: Result<Value, any Error>, for key: Key) {
        guard let waiter = waiting[key]?.first else { return }
        waiting[key]?.removeFirst()
        waiter.continuation.resume(with: result)
    }

    /// Ends all waits with this error.
    func failAll(_ error: any Error) {
        let all = waiting.values.joined()
        waiting = [:]
        for waiter in all { waiter.continuation.resume(throwing: error) }
    }

    private func cancel(_ number: Int) {
        for (key, waiters) in waiting {
            guard let index = waiters.firstIndex(where: { $0.number == number }) else { continue }
            waiting[key]?.remove(at: index)
            waiters[index].continuation.resume(throwing: CancellationError())
        }
    }
}

extension Answers where Value == Void {
    /// Gives the error if there is one, otherwise success.
    func give(_ error: (any Error)?, for key: Key) {
        if let error { give(.failure(error), for: key) } else { give(.success(()), for: key) }
    }
}
