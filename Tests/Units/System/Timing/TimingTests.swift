import TestSupport
import Testing

@testable import HILTiming

@Suite("Waiting")
struct TimingTests {
    @Test("ends at the deadline and names the thing waited for", .timeLimit(.minutes(1)))
    func deadline() async throws {
        let clock = ManualClock()
        let outcome = Task {
            try await withDeadline(.seconds(5), waitingFor: "the bell", clock: clock) {
                try await clock.sleep(for: .seconds(60))
            }
        }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(5))
        await #expect(throws: TimedOut(waitingFor: "the bell", limit: .seconds(5))) { try await outcome.value }
        #expect(TimedOut(waitingFor: "the bell", limit: .milliseconds(1500)).description == "waited 1.5 s for the bell")
    }

    @Test("returns the value if it comes in time", .timeLimit(.minutes(1)))
    func inTime() async throws {
        #expect(try await withDeadline(.seconds(5), waitingFor: "it", clock: ManualClock()) { 42 } == 42)
    }

    @Test("on a manual clock wakes only the sleepers whose deadlines have passed", .timeLimit(.minutes(1)))
    func manualClock() async throws {
        let clock = ManualClock()
        let log = EventLog<Int>()
        for seconds in [1, 3] {
            Task {
                try await clock.sleep(for: .seconds(seconds))
                log.append(seconds)
            }
        }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(2))
        _ = try await log.first(within: .seconds(30), waitingFor: "the first sleeper")
        #expect(log.events == [1])
        clock.advance(by: .seconds(1))
        let second = try await log.first(from: 1, within: .seconds(30), waitingFor: "the second sleeper")
        #expect(second.event == 3)
    }

    @Test("in an event log finds earlier and later events", .timeLimit(.minutes(1)))
    func eventLog() async throws {
        let log = EventLog<String>()
        log.append("a")
        async let awaited = log.first(from: 1, within: .seconds(30), waitingFor: "b") { $0 == "b" }
        log.append("a")
        log.append("b")
        #expect(try await awaited.next == 3)
        #expect(try await log.first(within: .seconds(30), waitingFor: "a").next == 1)
    }

    @Test("in an event log from a later place ignores the events before it", .timeLimit(.minutes(1)))
    func eventLogBeyondItsEnd() async throws {
        let log = EventLog<String>()
        log.append("a")
        // It begins to wait before the next line.
        let awaited = Task.immediate { try await log.first(from: 3) }
        try #require(log.waiterCount == 1)
        for event in ["b", "c", "d", "e"] { log.append(event) }
        let (event, next) = try await awaited.value
        #expect(event == "d" && next == 4)
    }

    @Test("in a bounded event log keeps the latest events, at their places", .timeLimit(.minutes(1)))
    func boundedLog() async throws {
        let log = EventLog<Int>(keepingAtMost: 10)
        for number in 0..<1000 {
            log.append(number)
            #expect(log.events.count <= 10)
            #expect(log.events.suffix(5).elementsEqual(max(0, number - 4)...number))
        }
        #expect(log.count == 1000)
        let oldest = try await log.first(from: 3, within: .seconds(30), waitingFor: "the oldest that is kept")
        #expect(oldest.event == log.events.first && oldest.next == oldest.event + 1)
        let exact = try await log.first(from: 998, within: .seconds(30), waitingFor: "the last but one")
        #expect(exact.event == 998 && exact.next == 999)
        async let awaited = log.first(from: 1000, within: .seconds(30), waitingFor: "the next")
        log.append(1000)
        let next = try await awaited
        #expect(next.event == 1000 && next.next == 1001)
    }

    @Test("in an event log that forgets some kinds of events keeps all others", .timeLimit(.minutes(1)))
    func partlyBoundedLog() async throws {
        let log = EventLog<Int>(keepingAtMost: 4) { !$0.isMultiple(of: 100) }
        for number in 0..<1000 { log.append(number) }
        let kept = log.events
        #expect(kept.filter { $0.isMultiple(of: 100) } == Array(stride(from: 0, to: 1000, by: 100)))
        #expect(kept.filter { !$0.isMultiple(of: 100) }.count <= 4 && kept.last == 999)
        #expect(kept == kept.sorted())
        let found = try await log.first(from: 301, within: .seconds(30), waitingFor: "the next hundred")
        #expect(found.event == 400 && found.next == 401)
    }

    @Test("in an event log ends when its task is cancelled, before or after", .timeLimit(.minutes(1)))
    func cancelledWait() async {
        let log = EventLog<Int>()
        for yields in 0..<20 {
            let wait = Task { try await log.first(within: .seconds(30), waitingFor: "nothing") }
            for _ in 0..<yields { await Task.yield() }
            wait.cancel()
            await #expect(throws: CancellationError.self) { try await wait.value }
        }
        #expect(log.waiterCount == 0)
    }

    @Test("in an event log ends with the log's error", .timeLimit(.minutes(1)))
    func finished() async {
        let log = EventLog<String>()
        log.finish(throwing: CancellationError())
        await #expect(throws: CancellationError.self) {
            try await log.first(within: .seconds(30), waitingFor: "anything")
        }
    }

    @Test(
        "durations are formatted for people",
        arguments: [(Duration.milliseconds(70), "70 ms"), (.seconds(2), "2 s"), (.milliseconds(2340), "2.3 s")])
    func short(duration: Duration, text: String) { #expect(duration.short == text) }
}
