import Synchronization

/// Signals to its listeners that something has happened, but not what.
final class ChangeSignal: Sendable {
    private struct State {
        var lastToken = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func tell() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Runs `body` with a stream that has an element whenever something happens. It also passes the stream's
    /// continuation.
    ///
    /// Everything that happens while `body` is busy makes one element.
    func listen<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (AsyncStream<Void>, AsyncStream<Void>.Continuation) async throws -> Value
    ) async throws -> Value {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let token = state.withLock { state in
            state.lastToken += 1
            state.listeners[state.lastToken] = continuation
            return state.lastToken
        }
        defer { state.withLock { _ = $0.listeners.removeValue(forKey: token) } }
        return try await body(stream, continuation)
    }
}
