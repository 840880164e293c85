import Synchronization

/// Tells who listens that something has happened, without saying what.
final class News: Sendable {
    private struct State {
        var lastToken = 0
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func tell() {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield() }
    }

    /// Gives `body` a stream with an element for what happens meanwhile. What happens while `body` is busy is one element.
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
