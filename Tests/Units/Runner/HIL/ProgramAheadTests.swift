import BoardProtocol
import HILTiming
import RadioModel
import RigModel
import StubRig
import Synchronization
import Testing

@testable import HIL

/// The agent of a test's accessory board, for its own answers.
private final class AgentHolder: Sendable {
    let agent = Mutex<StubAgent?>(nil)
}

@MainActor
struct ProgramAheadTests {
    private let board = ProgramBoard()
    private static let lamp = AccessoryProgram(named: "lamp", command: ["lamp"])
    /// The line that the scenarios say they are declared at.
    private static let declaration = 1
    private static let noSuch = AccessoryProgram(named: "missing", command: ["no-such"])

    private func lab() throws -> TestLab {
        try TestLab { [board] call throws(RadioError) in try board.answer(call) }
    }

    /// Runs a scenario whose program began with the board.
    private func run(
        _ program: AccessoryProgram, in test: TestLab, _ body: @escaping @MainActor @Sendable (Lab) async throws -> Void
    ) async {
        let scenario = Scenario(
            "Begins", .accessory(program, startsWithBoard: true), line: Self.declaration, run: body)
        await scenario.run(scenario.cases[0], in: test.lab)
        await test.lab.close()
    }

    @Test("A program that starts with its board is started once, keeps what it printed before, and ends as any other")
    func isRun() async throws {
        let agent = AgentHolder()
        let test = try TestLab { [board] call throws(RadioError) in
            // An agent withholds what such a program has printed until a client asks for the program.
            if case .program(.start) = call, board.names("start") == 0 {
                let line = ProgramLine("ready before anybody asks")
                agent.agent.withLock { $0 }?.tell(.programPrinted([line], run: 1, on: .first))
            }
            return try board.answer(call)
        }
        agent.agent.withLock { $0 = test.accessory }
        await run(Self.lamp, in: test) { [board = test.accessory] lab in
            let lamp = try await lab.accessory.run(Self.lamp)
            lab.expect(try await lamp.prints("ready"), contains: "before", "lines of before count")
            board.tell(.programEnded(.signal(15), wasAsked: true, run: 1, on: .first))
            try await lamp.stop()
            lab.expect(try await lab.accessory.run(Self.lamp) !== lamp, "the second call starts it anew")
        }
        #expect(test.failures.isEmpty)
        #expect(board.names("start") == 2 && board.names("stop") == 2)
    }

    @Test("A program that cannot be started is one failure, at the line that asks for it, or else of the scenario")
    func isRefused() async throws {
        for asks in [true, false] {
            let test = try lab()
            await run(Self.noSuch, in: test) { lab in
                if asks { try await lab.accessory.run(Self.noSuch) }
            }
            #expect(test.failures.count == 1 && test.failures.first?.kind == .rig, "\(test.failures)")
            // The line of the call is in its closure, below that of the declaration.
            let place = test.failures.first?.location
            #expect(place?.file.hasSuffix("ProgramAheadTests.swift") == true)
            #expect((place?.line == Self.declaration) == !asks, "\(test.failures)")
        }
    }

    @Test("A step whose time is over waits no longer for a program that is not ready", arguments: ["lamp", "other"])
    func overruns(asked: String) async throws {
        let test = try lab()
        var slow = Self.lamp
        (slow.readiness, slow.readyLimit) = (.line(containing: "never"), .seconds(20))
        let program = asked == "lamp" ? slow : AccessoryProgram(named: "other", command: ["other"])
        let clock = test.clock
        let time = Task {
            await clock.sleeper(until: .seconds(5))
            clock.advance(by: .seconds(5))
        }
        await run(slow, in: test) { lab in
            _ = try await lab.step("ask", within: .seconds(5)) { try await lab.accessory.run(program) }
        }
        await time.value
        #expect(test.failures.count == 1, "\(test.failures)")
        #expect(test.failures.first?.message.contains("ask") == true, "\(test.failures)")
    }

    @Test("Another program waits for it, and is refused while it runs")
    func another() async throws {
        let test = try lab()
        await run(Self.lamp, in: test) { lab in
            try await lab.accessory.run(AccessoryProgram(named: "other", command: ["other"]))
        }
        #expect(test.failures.count == 1)
        #expect(
            test.failures.first?.message.contains("“lamp” runs on adapter 0 of the board, and each adapter runs one")
                == true)
        #expect(board.names("start") == 1)
    }

    @Test("Two programs that start with one board are a mistake of the declaration")
    func two() throws {
        let good = Scenario("One", .accessory(Self.lamp, startsWithBoard: true), .accessory(Self.noSuch)) { _ in }
        try good.traits.checkStartingPrograms()
        #expect(good.traits.startingPrograms == [Self.lamp] && good.traits.programs.count == 2)
        let bad = Scenario(
            "Two", .accessory(Self.lamp, startsWithBoard: true), .accessory(Self.noSuch, startsWithBoard: true)
        ) { _ in }
        let error = #expect(throws: ProgramMistake.self) { try bad.traits.checkStartingPrograms() }
        #expect(
            error?.description
                == "the program “missing”: “lamp” starts with the board already, which runs one program at a time: leave "
                + "startsWithBoard out, and start it in the scenario")
    }
}
