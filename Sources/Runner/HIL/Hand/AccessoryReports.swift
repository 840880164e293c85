import HILRecord
import HILTiming
import Synchronization

/// What the real accessory has reported. Each report meets one expectation.
final class AccessoryReports: Sendable {
    private struct Report: Sendable {
        let number: Int
        let note: AccessoryNote
    }

    private struct State {
        var count = 0
        var taken: Set<Int> = []
    }

    private let log = EventLog<Report>()
    private let state = Mutex(State())

    func add(_ note: AccessoryNote) {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        log.append(Report(number: number, note: note))
    }

    /// Waits for a report that nothing has met, and takes it.
    ///
    /// - Throws: `TimedOut`.
    @discardableResult
    func take(
        within limit: Duration, waitingFor what: String, clock: any Clock<Duration>,
        where matches: @escaping @Sendable (AccessoryNote) -> Bool
    ) async throws -> AccessoryNote {
        let found = try await log.first(within: limit, waitingFor: what, clock: clock) { [self] report in
            matches(report.note) && state.withLock { !$0.taken.contains(report.number) }
        }.event
        state.withLock { _ = $0.taken.insert(found.number) }
        return found.note
    }

    /// Takes a report that has come and met nothing; false if there is none.
    func takeNow(where matches: (AccessoryNote) -> Bool) -> Bool {
        let reports = log.events
        return state.withLock { state in
            guard let found = reports.first(where: { !state.taken.contains($0.number) && matches($0.note) }) else {
                return false
            }
            state.taken.insert(found.number)
            return true
        }
    }

    /// Waits for a report, whether it has met an expectation or not, and leaves it.
    ///
    /// - Throws: `TimedOut`.
    func see<Value: Sendable>(
        within limit: Duration, waitingFor what: String, clock: any Clock<Duration>,
        _ value: @escaping @Sendable (AccessoryNote) -> Value?
    ) async throws -> Value? {
        _ = try await log.first(within: limit, waitingFor: what, clock: clock) { value($0.note) != nil }
        return log.events.reversed().lazy.compactMap { value($0.note) }.first
    }

    /// The reports that have met no expectation.
    var untaken: [AccessoryNote] {
        let taken = state.withLock { $0.taken }
        return log.events.filter { !taken.contains($0.number) }.map(\.note)
    }
}
