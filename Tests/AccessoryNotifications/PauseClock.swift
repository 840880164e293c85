import Synchronization
import Timing

/// A clock on which short pauses take no time and are written down, and long limits pass only when the test says so.
final class PauseClock: Clock, Sendable {
    typealias Instant = ManualClock.Instant

    private static let shortest = Duration.seconds(5)
    private let manual = ManualClock()
    private let written = Mutex<[Duration]>([])
    private let limits = EventLog<Duration>()

    /// The pauses so far, in order.
    var pauses: [Duration] { written.withLock { $0 } }

    var now: Instant { manual.now }
    var minimumResolution: Duration { manual.minimumResolution }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let pause = now.duration(to: deadline)
        guard pause < Self.shortest else {
            limits.append(pause)
            return try await manual.sleep(until: deadline, tolerance: tolerance)
        }
        try Task.checkCancellation()
        written.withLock { $0.append(pause) }
    }

    /// Returns once somebody waits for a long limit.
    func sleepers(atLeast count: Int) async { await manual.sleepers(atLeast: count) }

    /// Returns once somebody began to wait for this limit.
    func isWaited(for limit: Duration) async throws {
        _ = try await limits.first(within: .seconds(20), waitingFor: "a wait of \(limit)") { $0 == limit }
    }

    /// Lets a limit pass, once so many limits are waited for.
    func pass(_ limit: Duration, among count: Int = 1) async {
        await manual.sleepers(atLeast: count)
        manual.advance(by: limit)
    }
}
