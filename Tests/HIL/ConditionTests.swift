import Phone
import Testing
import Timing

@testable import HIL

/// Waits for what becomes true.
@MainActor
struct ConditionTests {
    /// An app's own variable.
    private final class Box { var isFull = false }

    @Test("What holds already is given at once, and recorded as an expectation", .timeLimit(.minutes(1)))
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

    @Test("What holds after an event of the phone is seen without any time going by", .timeLimit(.minutes(1)))
    func event() async throws {
        let test = try TestLab()
        let wait = Task { @MainActor in
            try await test.lab.becomes("the phone has a warning") { !test.lab.phone.warnings.isEmpty }
        }
        await test.clock.sleepers(atLeast: 2)
        test.lab.phone.record(.warning(rule: "K1", "too large"))
        try await wait.value
    }

    @Test("What no event tells is seen when it is looked at again", .timeLimit(.minutes(1)))
    func silently() async throws {
        let test = try TestLab()
        let box = Box()
        let wait = Task { @MainActor in try await test.lab.becomes("the box is full") { box.isFull } }
        await test.clock.sleepers(atLeast: 2)
        box.isFull = true
        test.clock.advance(by: .milliseconds(50))
        try await wait.value
    }

    @Test("What never holds ends with the limit, as something that rests on time", .timeLimit(.minutes(1)))
    func never() async throws {
        let test = try TestLab()
        let wait = Task { @MainActor in try await test.lab.becomes("one is two", within: .seconds(3)) { false } }
        await test.clock.sleepers(atLeast: 2)
        test.clock.advance(by: .seconds(3))
        let error = await #expect(throws: TimedOut(waitingFor: "it to hold that one is two", limit: .seconds(3))) {
            try await wait.value
        }
        #expect(Failure.Basis(of: try #require(error)) == .time)
    }
}
