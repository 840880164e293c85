import TestSupport
import Testing

@testable import HILTiming

/// Waits that share the end of the time that something around them has.
@Suite("A wait inside of a deadline")
struct SharedDeadlineTests {
    private let began = EventLog<String>()
    private let clock = ManualClock()

    /// A wait for what never comes, and perhaps for something else inside of it.
    private func waitInVain(
        for what: String, within limit: Duration? = nil, and inner: (@Sendable () async throws -> Void)? = nil
    ) async throws {
        try await SharedDeadline.wait(for: what, within: limit, clock: clock) { [began] in
            began.append(what)
            try await inner?()
            _ = try await EventLog<Void>().first(from: 0) { true }
        }
    }

    private func begin(
        under deadline: SharedDeadline?, _ wait: @escaping @Sendable () async throws -> Void
    ) -> Task<Void, any Error> {
        SharedDeadline.$current.withValue(deadline) { Task { try await wait() } }
    }

    @Test("without a limit ends with it, and says what it waited for", .timeLimit(.minutes(1)))
    func inherits() async throws {
        let deadline = SharedDeadline(after: .seconds(7))
        let wait = begin(under: deadline) {
            try await waitInVain(for: "a bell") { try await waitInVain(for: "a gong") }
        }
        _ = try await began.first(.event("a gong"), within: .seconds(300))
        #expect(deadline.awaited == ["a bell", "a gong"])
        deadline.pass()
        let error = await #expect(throws: TimedOut.self) { try await wait.value }
        #expect(error?.limit == .seconds(7))
        #expect(deadline.awaited == [])
    }

    @Test("ends at once where the deadline has passed already", .timeLimit(.minutes(1)))
    func late() async {
        let deadline = SharedDeadline(after: .seconds(7))
        deadline.pass()
        let wait = begin(under: deadline) { try await waitInVain(for: "a bell") }
        await #expect(throws: TimedOut(waitingFor: "a bell", limit: .seconds(7))) { try await wait.value }
    }

    @Test("with a limit of its own ends with that, and gives it to the waits inside of it", .timeLimit(.minutes(1)))
    func ownLimit() async throws {
        let outer = SharedDeadline(after: .seconds(60))
        let inner = EventLog<SharedDeadline?>()
        let wait = begin(under: outer) {
            try await waitInVain(for: "a bell", within: .seconds(20)) {
                inner.append(SharedDeadline.current)
                try await waitInVain(for: "a gong")
            }
        }
        _ = try await began.first(.event("a gong"), within: .seconds(300))
        let deadline = try #require(inner.events.first ?? nil)
        #expect(deadline !== outer && deadline.awaited == ["a gong"])
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(20))
        await #expect(throws: TimedOut(waitingFor: "a bell", limit: .seconds(20))) { try await wait.value }
    }

    @Test("has ten seconds where there is no deadline", .timeLimit(.minutes(1)))
    func usual() async {
        let wait = begin(under: nil) { try await waitInVain(for: "a bell") }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        await #expect(throws: TimedOut(waitingFor: "a bell", limit: .seconds(10))) { try await wait.value }
    }

    @Test("is known to the deadlines around it as well", .timeLimit(.minutes(1)))
    func nested() async throws {
        let outer = SharedDeadline(after: .seconds(60))
        let inner = SharedDeadline.$current.withValue(outer) { SharedDeadline(after: .seconds(20)) }
        let wait = begin(under: inner) { try await waitInVain(for: "a bell") }
        _ = try await began.first(.event("a bell"), within: .seconds(300))
        #expect(outer.awaited == ["a bell"] && inner.awaited == ["a bell"])
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        #expect(outer.awaited == [])
    }
}
