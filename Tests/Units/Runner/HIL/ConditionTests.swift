import HILPhone
import HILTiming
import Testing

@testable import HIL

/// Waits until a condition holds.
@MainActor
struct ConditionTests {
    /// A variable of an app, which no event announces.
    private final class Box { var isFull = false }

    @Test(
        "A condition that holds already ends the wait at once, and is recorded as an expectation",
        .timeLimit(.minutes(1)))
    func atOnce() async throws {
        let test = try TestLab()
        let line = #line + 1
        try await test.lab.becomes("one is one") { true }
        #expect(try await test.lab.given("there is a seven") { Int?(7) } == 7)
        let expectations = test.events.compactMap { event in
            if case .expectation(let text, true, let place) = event { "\(text) \(place.line)" } else { nil }
        }
        #expect(expectations == ["one is one \(line)", "there is a seven \(line + 1)"])
    }

    @Test("A condition that holds after an event of the phone is seen at once", .timeLimit(.minutes(1)))
    func event() async throws {
        let test = try TestLab()
        let wait = Task { @MainActor in
            try await test.lab.becomes("the phone has a warning") { !test.lab.phone.warnings.isEmpty }
        }
        await test.clock.sleepers(atLeast: 2)
        test.lab.phone.record(.warning(rule: "K1", "too large"))
        try await wait.value
    }

    @Test("A change without an event is seen at the next check", .timeLimit(.minutes(1)))
    func silently() async throws {
        let test = try TestLab()
        let box = Box()
        let wait = Task { @MainActor in try await test.lab.becomes("the box is full") { box.isFull } }
        await test.clock.sleepers(atLeast: 2)
        box.isFull = true
        test.clock.advance(by: .milliseconds(50))
        try await wait.value
    }

    @Test(
        "A condition that never holds ends the wait at its limit",
        .timeLimit(.minutes(1)))
    func never() async throws {
        let test = try TestLab()
        let wait = Task { @MainActor in try await test.lab.becomes("one is two", within: .seconds(3)) { false } }
        await test.clock.sleepers(atLeast: 2)
        test.clock.advance(by: .seconds(3))
        await #expect(throws: TimedOut(waitingFor: "it to hold that one is two", limit: .seconds(3))) {
            try await wait.value
        }
    }
}
