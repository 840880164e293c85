/// Turns a delegate's calls into answers that are awaited.
///
/// Several may wait for the same thing; the one who asked first gets the first answer.
@MainActor
final class Answers<Key: Hashable, Value: Sendable> {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Value, any Error>
    }

    private var waiting: [Key: [Waiter]] = [:]
    private var lastNumber = 0

    nonisolated init() {}

    /// Asks, and waits for the answer.
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

    /// Answers whoever waits longest; nothing if nobody does.
    func give(_ result: Result<Value, any Error>, for key: Key) {
        guard let waiter = waiting[key]?.first else { return }
        waiting[key]?.removeFirst()
        waiter.continuation.resume(with: result)
    }

    /// Everybody who waits gets this error.
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
    /// Answers with success, unless there is an error.
    func give(_ error: (any Error)?, for key: Key) {
        if let error { give(.failure(error), for: key) } else { give(.success(()), for: key) }
    }
}
