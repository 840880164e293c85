import Synchronization

/// A clock for tests. It moves only when a test advances it.
package final class ManualClock: Clock, Sendable {
    /// A point in time of a manual clock.
    package struct Instant: InstantProtocol, Hashable {
        /// The time since the clock was made.
        package let offset: Duration

        package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        package func duration(to other: Instant) -> Duration { other.offset - offset }
        package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let wakeAt: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let token: Int
        let isContent: @Sendable ([Instant]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var lastToken = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Watcher] = []

        /// The moments at which the sleepers wake.
        var wakings: [Instant] { sleepers.values.map(\.wakeAt) }
    }

    private let state = Mutex(State())

    package init() {}

    package var now: Instant { state.withLock { $0.now } }
    package var minimumResolution: Duration { .nanoseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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
    package func advance(by duration: Duration) {
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
    package func sleepers(atLeast count: Int) async { await watch { $0.count >= count } }

    /// Waits until a task sleeps that wakes at this time, counted from when the clock was made: so a test knows which of
    /// several waits of the code has begun.
    ///
    /// It also returns when the task is cancelled.
    package func sleeper(until offset: Duration) async { await watch { $0.contains(Instant(offset: offset)) } }

    private func watch(_ isContent: @escaping @Sendable ([Instant]) -> Bool) async {
        let token = nextToken()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || isContent(state.wakings) { return true }
                    state.watchers.append(Watcher(token: token, isContent: isContent, continuation: continuation))
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
            let wakings = state.wakings
            let satisfied = state.watchers.filter { $0.isContent(wakings) }
            state.watchers.removeAll { watcher in satisfied.contains { $0.token == watcher.token } }
            return satisfied
        }
        for watcher in satisfied { watcher.continuation.resume() }
    }
}
