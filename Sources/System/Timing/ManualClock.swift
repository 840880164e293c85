import Synchronization

/// A clock for tests. It moves only when a test advances it.
public final class ManualClock: Clock, Sendable {
    /// A point in time of a manual clock.
    public struct Instant: InstantProtocol, Hashable {
        /// The time since the clock was made.
        public let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let wakeAt: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastToken = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(token: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Instant { state.withLock { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let token = nextToken()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // Checked under the lock, so that a later cancellation finds the sleeper.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[token] = Sleeper(wakeAt: deadline, continuation: continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) } else { tellWatchers() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: token) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock, and wakes the sleepers whose deadlines have passed, in the order of the deadlines.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.wakeAt <= state.now }
            for token in due.keys { state.sleepers[token] = nil }
            return due.values.sorted { $0.wakeAt < $1.wakeAt }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Waits until at least `count` tasks sleep on this clock. Call it before ``advance(by:)``, to know that the code
    /// waits.
    ///
    /// It also returns when the task is cancelled, so that a test can end after its time limit.
    public func sleepers(atLeast count: Int) async {
        let token = nextToken()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.watchers.append((token, count, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                let index = state.watchers.firstIndex { $0.token == token }
                return index.map { state.watchers.remove(at: $0) }
            }
            watcher?.continuation.resume()
        }
    }

    private func nextToken() -> Int {
        state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
    }

    private func tellWatchers() {
        let satisfied = state.withLock { state in
            let count = state.sleepers.count
            let satisfied = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return satisfied
        }
        for watcher in satisfied { watcher.continuation.resume() }
    }
}
