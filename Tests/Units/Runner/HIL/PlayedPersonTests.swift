import HILPhone
import HILTiming
import Testing

@testable import HIL

/// A scenario in the hands of somebody else than its person.
@MainActor
struct PlayedPersonTests {
    private func ask(_ test: TestLab, _ kind: Screen.Kind = .passkey) -> Task<PersonAction, any Error> {
        let screen = Screen(
            kind, title: "Pair?", controls: [.confirmPasskey, .refusePasskey], willing: .confirmPasskey)
        return Task { try await test.lab.phone.display.ask(screen) }
    }

    @Test("By hand, nobody answers but the hand, and what the scenario wanted is a suggestion")
    func byHand() async throws {
        let test = try TestLab()
        let person = PlayedPerson(test.lab)
        test.lab.phone.person.will(.confirmPasskey)
        #expect(test.lab.phone.person.suggestions.map(\.action) == [.confirmPasskey])
        #expect(test.lab.phone.person.unfinished.isEmpty, "a suggestion is no duty")
        let answer = ask(test)
        try await test.lab.phone.shows(.passkey)
        #expect(test.lab.phone.display.awaitsPerson && person.isTurn)
        #expect(await !person.perform(.act(.done, on: .passkey)), "the screen has no such control")
        #expect(await !person.perform(.act(.refusePasskey, on: .picker)), "another screen is on top")
        #expect(await person.perform(.act(.confirmPasskey, on: .passkey)))
        #expect(try await answer.value == .confirmPasskey)
        #expect(test.lab.phone.person.suggestions.isEmpty)
        #expect(await !person.perform(.act(.confirmPasskey, on: .passkey)), "it was answered")
    }

    @Test("A button runs once at a time, and its failure is told and no failure of the scenario")
    func buttons() async throws {
        struct Broken: Error {}
        let test = try TestLab()
        let person = PlayedPerson(test.lab)
        test.lab.played = person
        let body = Task { try await test.lab.offer(AppButton("Add") { throw Broken() }) }
        try await person.presses("Add")
        try await person.finishes("Add", failing: "Broken: Broken()")
        #expect(test.failures.isEmpty)
        #expect(await !person.perform(.press(button: "Other")))
        body.cancel()
    }

    @Test("A willing person presses every button once, and the first failure ends the scenario")
    func willing() async throws {
        struct Broken: Error {}
        let test = try TestLab()
        var pressed: [String] = []
        try await test.lab.offer(AppButton("A") { pressed.append("A") }, AppButton("B") { pressed.append("B") })
        #expect(pressed == ["A", "B"])
        await #expect(throws: Broken.self) {
            try await test.lab.offer(AppButton("A") { throw Broken() }, AppButton("B") { pressed.append("C") })
        }
        #expect(pressed == ["A", "B"])
    }

    /// The failures of a base scenario that is played again by a script.
    private func replay(
        _ base: Scenario, _ script: @escaping @MainActor @Sendable (PlayedPerson) async throws -> Void
    ) async throws -> [String] {
        let test = try TestLab()
        let again = Scenario("Again", .tags("played"), playing: base, by: script)
        await again.run(again.cases[0], in: test.lab)
        return test.failures.map(\.message)
    }

    @Test(
        "A recorded failure passes if it comes with other numbers, fails if it does not come, and so does another one")
    func foreseen() async throws {
        let broken = Scenario("It breaks") { lab in lab.expect(6, equals: 5, "five of \(lab.phone.screen.count)") }
        let fine = Scenario("It works") { _ in }
        let came = try await replay(broken) { person in
            person.expects(failure: "expected that five of 9: got 8, not 7")
            try await person.seesTheEnd()
        }
        #expect(came == [])
        let missing = try await replay(fine) { person in
            person.expects(failure: "expected that five of 9: got 8, not 7")
            try await person.seesTheEnd()
        }
        #expect(missing.count == 1 && missing[0].contains("did not come again"))
        let unforeseen = try await replay(broken) { try await $0.seesTheEnd() }
        #expect(unforeseen.count == 1 && unforeseen[0].contains("got 6, not 5"))
    }

    @Test("A recording of a case that does not exist fails and says so")
    func noSuchCase() async throws {
        let test = try TestLab()
        let again = Scenario("Again", playing: Scenario("It works") { _ in }, where: "security=wpa9") { _ in }
        await again.run(again.cases[0], in: test.lab)
        #expect(test.failures.first?.message.contains("has no case [security=wpa9]") == true)
    }

    @Test("What a played scenario declares is declared by its recording, with its own tags")
    func traits() {
        let base = Scenario("It works", .tags(.smoke), .covers("K1"), .needs(.distance), .budget(.seconds(7))) { _ in }
        let again = Scenario("Again", .tags("played"), playing: base) { _ in }
        #expect(again.traits.needs == [.distance] && again.traits.tags == ["played"] && again.traits.rules.isEmpty)
        #expect(again.traits.budget == .seconds(67))
    }

    @Test("A limit of time stands still while it is the person's turn")
    func clock() async throws {
        let clock = PlayClock()
        clock.isPaused = true
        let sleeper = Task {
            try await clock.sleep(for: .milliseconds(1))
            return true
        }
        let before = clock.now
        #expect(clock.now == before)
        clock.isPaused = false
        #expect(try await sleeper.value)
        #expect(clock.now > before)
        clock.isPaused = true
        let cancelled = Task { try await clock.sleep(for: .seconds(1)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
