import BoardProtocol
import Foundation
import HILTiming
import RadioModel
import RigModel
import StubRig
import Synchronization
import Testing

@testable import HIL

@MainActor
struct AccessoryProgramTests {
    private let board = ProgramBoard()

    private func lab() throws -> TestLab { try TestLab { [board] call throws(RadioError) in try board.answer(call) } }

    private func lines(_ texts: String..., from source: ProgramLine.Source = .output) -> BoardEvent {
        .programPrinted(texts.map { ProgramLine($0, from: source) }, run: 1, on: .first)
    }

    private func kinds(_ test: TestLab) -> [String] {
        test.events.compactMap { if case .accessory(let note) = $0 { "\(note.kind): \(note.text)" } else { nil } }
    }

    private static let lamp = AccessoryProgram(named: "lamp", command: ["lamp"])

    @Test("Lines of a program are awaited, recorded in the story, and those of an earlier run do not count")
    func lines() async throws {
        let test = try lab()
        let lamp = try await test.lab.accessory.run(Self.lamp)
        test.accessory.tell(lines("on", "joined Home"))
        test.accessory.tell(lines("hot", from: .errors))
        #expect(try await lamp.prints("joined") == "joined Home")
        #expect(try await lamp.prints("hot") == "hot")
        let mark = lamp.events.mark
        test.accessory.tell(lines("on again"))
        #expect(try await lamp.prints("on", since: mark) == "on again")
        test.accessory.tell(.programEnded(.signal(15), wasAsked: true, run: 1, on: .first))
        #expect(try await lamp.stop() == .signal(15))
        try await lamp.restart()
        test.accessory.tell(lines("joined Office"))
        #expect(try await lamp.prints("joined") == "joined Office")
        await test.lab.close()
        #expect(test.failures.isEmpty)
        #expect(
            kinds(test) == [
                "started: starts", "printed: on", "printed: joined Home", "printedError: hot", "printed: on again",
                "ended: was ended by signal 15 (Terminated)", "started: starts", "printed: joined Office",
            ])
    }

    @Test("An accessory as data that has to pair is refused beside a program, which has the pairing of its adapter")
    func pairingBesideProgram() async throws {
        let test = try lab()
        _ = try await test.lab.accessory.run(Self.lamp)
        func door(_ needs: LinkProtection) -> Peripheral {
            .peripheral(
                named: "Door", services: [.service("FF00", [.characteristic("FF01", .read, needs: needs, value: [1])])])
        }
        let error = await #expect(throws: ProgramMistake.self) {
            try await test.lab.accessory.powerOn(door(.authenticated))
        }
        #expect(error?.description.contains("“Door” could pair with nobody") == true, "\(String(describing: error))")
        test.accessory.tell(.programEnded(.signal(15), wasAsked: true, run: 1, on: .first))
        await test.lab.close()
    }

    @Test("An end that nobody asked for is one failure of the product, at the line that started it, and ends waits")
    func crash() async throws {
        let test = try lab()
        let scenario = Scenario("Crashes") { [board = test.accessory] lab in
            let lamp = try await lab.accessory.run(Self.lamp)
            board.tell(.programPrinted((0..<20).map { ProgramLine("line \($0)") }, run: 1, on: .first))
            board.tell(.programPrinted([ProgramLine("a report of the board", from: .board)], run: 1, on: .first))
            board.tell(.programEnded(.code(3), wasAsked: false, run: 1, on: .first))
            try await lamp.prints("never", within: .seconds(60))
        }
        let line = #line - 6
        await scenario.run(scenario.cases[0], in: test.lab)
        await test.lab.close()
        let failure = try #require(test.failures.first)
        #expect(test.failures.count == 1 && failure.kind == .product)
        #expect(failure.location?.line == line)
        let expected =
            "the program “lamp” exited with 3, and the scenario had not ended it; its last output: line 19\n"
            + "  line 10\n"
        #expect(failure.message.hasPrefix(expected) && failure.message.hasSuffix("line 19"))
        #expect(board.names("stop") == 0, "it has ended already")
    }

    @Test("A program that ends by itself is no failure if that is declared and its code is 0", arguments: [0, 1])
    func endsByItself(code: Int32) async throws {
        let test = try lab()
        var program = Self.lamp
        program.endsByItself = true
        let lamp = try await test.lab.accessory.run(program)
        test.accessory.tell(.programEnded(.code(code), wasAsked: false, run: 1, on: .first))
        #expect(try await lamp.exits() == .code(code))
        #expect(test.failures.count == Int(code))
    }

    @Test("A scenario that waits for a program which it has ended itself has failed at that line")
    func endedBefore() async throws {
        let test = try lab()
        let scenario = Scenario("Waits") { [board = test.accessory] lab in
            let lamp = try await lab.accessory.run(Self.lamp)
            board.tell(.programEnded(.signal(15), wasAsked: true, run: 1, on: .first))
            try await lamp.stop()
            try await lamp.prints("never", within: .seconds(60))
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.map(\.kind) == [.product])
        #expect(test.failures.first?.message.contains("had ended: it was ended by signal 15") == true)
    }

    @Test("A program that is not ready in time is the product's fault, and rests on time")
    func readiness() async throws {
        board.isReady.withLock { $0 = false }
        for readiness in [ProgramReadiness.advertisement, .line(containing: "ready")] {
            let test = try lab()
            let scenario = Scenario("Starts") { lab in
                var program = Self.lamp
                (program.readiness, program.readyLimit) = (readiness, .milliseconds(50))
                try await lab.accessory.run(program)
            }
            await scenario.run(scenario.cases[0], in: test.lab)
            #expect(test.failures.map(\.kind) == [.product])
            #expect(test.failures.first?.message.contains("“lamp” was not seen to ") == true, "\(test.failures)")
        }
    }

    @Test("A program that still runs at the end is ended, unless the scenario has failed and is to be looked at")
    func end() async throws {
        for fails in [false, true] {
            let (test, before) = (try lab(), board.names("stop"))
            let scenario = Scenario("Ends") { lab in
                try await lab.accessory.run(Self.lamp)
                lab.expect(!fails, "all is well")
            }
            await scenario.run(scenario.cases[0], in: test.lab)
            #expect(board.names("stop") - before == (fails ? 0 : 1))
        }
    }

    @Test("A program that the board refuses does not run, so that nothing is to be ended, and another may be started")
    func refused() async throws {
        let test = try lab()
        let scenario = Scenario("Starts") { lab in
            _ = try? await lab.accessory.run(AccessoryProgram(command: ["no-such"]))
            try await lab.accessory.run(Self.lamp)
            lab.expect(true, "it runs")
        }
        await scenario.run(scenario.cases[0], in: test.lab)
        #expect(test.failures.isEmpty && board.names("stop") == 1)
    }

    @Test("The end of a run that was stopped is not taken for the end of the next run, however late it is noted")
    func lateEnd() async throws {
        let agents = Mutex<StubAgent?>(nil)
        let test = try TestLab { [board] call throws(RadioError) in
            if case .program(.stop) = call {
                // The event comes before the answer, as the agent sends it.
                agents.withLock { $0 }?.tell(.programEnded(.signal(15), wasAsked: true, run: 1, on: .first))
            }
            return try board.answer(call)
        }
        agents.withLock { $0 = test.accessory }
        let lamp = try await test.lab.accessory.run(Self.lamp)
        for _ in 0..<20 {
            try await lamp.restart()
            #expect(lamp.isRunning && lamp.exit == nil)
            let last = lamp.events.events.suffix(2)
            #expect(last == [.ended(.signal(15), wasAsked: true), .started])
        }
        agents.withLock { $0 = nil }
    }

    @Test("A board that restarts takes the program with it, and waits for it end")
    func boardRestarts() async throws {
        let test = try lab()
        try await test.lab.rig.accessory.greet()
        let lamp = try await test.lab.accessory.run(Self.lamp)
        test.accessory.tell(.agentStarted)
        let error = await #expect(throws: ProgramEnded.self) { try await lamp.prints("never", within: .seconds(60)) }
        #expect("\(try #require(error))" == "the program “lamp” is gone with its board")
    }

    @Test("Files are sent with the program; a mistake in the declaration is found before the board is asked")
    func declaration() async throws {
        let package = NSTemporaryDirectory() + "hil-package-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: package) }
        try FileManager.default.createDirectory(atPath: package + "/Files/sub", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: package + "/Files/sub/run"))
        chmod(package + "/Files/sub/run", 0o755)
        symlink("run", package + "/Files/sub/link")
        let folder = try EncodedPayload(folder: package + "/Files")
        #expect(
            try Payload(decoding: folder.bytes).entries == [
                .init("sub", mode: 0o755, .folder), .init("sub/link", .link(target: "run")),
                .init("sub/run", mode: 0o755, .file(ArraySlice("x".utf8))),
            ])
        #expect(folder.id.isValid)
        #expect(try EncodedPayload(folder: package + "/Files").id == folder.id)
        mkfifo(package + "/Files/pipe", 0o600)
        #expect(throws: PayloadError.self) { try EncodedPayload(folder: package + "/Files") }

        var program = AccessoryProgram(named: "lamp", files: "Files", packages: ["python3-dbus"], command: ["./run"])
        try program.check(in: package)
        func mistake(_ change: (inout AccessoryProgram) -> Void) -> String {
            var copy = program
            change(&copy)
            do { try copy.check(in: package) } catch { return "\(error)" }
            return "none"
        }
        #expect(
            mistake { $0.files = "Missing" }
                == "the program “lamp”: its folder of files “Missing” is missing: looked for \(package)/Missing")
        #expect(mistake { $0.files = "Files/sub/run" }.contains("is missing"))
        #expect(mistake { $0.command = [] }.contains("its command is empty"))
        #expect(mistake { $0.packages = ["bad name"] }.contains("“bad name” is not the name of a Debian package"))
        #expect(mistake { $0.environment = ["A=B": ""] }.contains("not the name of an environment variable"))
        #expect(mistake { $0.name = "a/b" }.contains("its name may have"))
        program.files = "Missing"
        let test = try lab()
        await #expect(throws: ProgramMistake.self) { try await test.lab.accessory.run(program) }
        #expect(board.names == [])
        program.files = package + "/Files/sub"
        try await test.lab.accessory.run(program)
        #expect(board.names == ["program.offerPayload", "program.start"])
        await #expect(throws: ProgramMistake.self, "one at a time") { try await test.lab.accessory.run(program) }
    }

    @Test("A program whose packages its board did not get is not started, and the error says how it gets them")
    func packages() async throws {
        let program = AccessoryProgram(named: "lamp", packages: ["python3", "g++"], command: ["./run"])
        let test = try TestLab(boardPackages: ["python3"]) { [board] call throws(RadioError) in try board.answer(call) }
        let error = await #expect(throws: ProgramMistake.self) { try await test.lab.accessory.run(program) }
        #expect(
            error?.description
                == "the program “lamp”: the board was started without its package g++: declare the program "
                + "with the scenario's trait .accessory(…)")
        #expect(board.names == [])
        for packages in [["g++", "python3"], nil] {
            let test = try TestLab(boardPackages: packages) { [board] call throws(RadioError) in try board.answer(call)
            }
            try await test.lab.accessory.run(program)
        }
    }
}
