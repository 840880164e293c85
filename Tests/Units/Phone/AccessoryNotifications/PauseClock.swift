import HILTiming
import Synchronization
import TestSupport

/// A clock on which short pauses take no time and are recorded, and long timeouts end only when the test says so.
final class PauseClock: Clock, Sendable {
    typealias Instant = ManualClock.Instant

    /// Shorter waits are pauses, all others are timeouts.
    private static let shortestTimeout = Duration.seconds(5)
    private let manual = ManualClock()
    private let recorded = Mutex<[Duration]>([])
    private let timeouts = EventLog<Duration>()

    /// The pauses so far, in order.
    var pauses: [Duration] { recorded.withLock { $0 } }

    var now: Instant { manual.now }
    var minimumResolution: Duration { manual.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        guard pause < Self.shortestTimeout else {
            timeouts.append(pause)
            return try await manual.sleep(until: deadline, tolerance: tolerance)
        }
        try Task.checkCancellation()
        recorded.withLock { $0.append(pause) }
    }

    /// Returns when at least `count` long timeouts are being waited for.
    func sleepers(atLeast count: Int) async { await manual.sleepers(atLeast: count) }

    /// Returns when somebody has begun to wait for this timeout.
    func isWaited(for limit: Duration) async throws {
        _ = try await timeouts.first(within: .seconds(300), waitingFor: "a wait of \(limit)") { $0 == limit }
    }

    /// Ends a timeout, after `count` timeouts are being waited for.
    func pass(_ limit: Duration, among count: Int = 1) async {
        await manual.sleepers(atLeast: count)
        manual.advance(by: limit)
    }
}
