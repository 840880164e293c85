import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import StubRig
import Synchronization
import TestSupport
import Testing

@testable import HIL

@MainActor
@Suite("A host stack's handle", .timeLimit(.minutes(2)))
struct HostStackHandleTests {
    private let air = EchoingAir()
    private let test: TestLab

    init() throws {
        test = try TestLab(RigDescription("stub", has: [.bluetooth, .wifi, .hostStacks]), hostStacks: air)
    }

    private func attach(_ line: String, speaking transport: HostStack.Transport = .standardStreams) async throws
        -> HostStackHandle
    {
        try await test.lab.air.attach(
            .hostStack(command: ["sh", "-c", line], environment: ["SOCKET": "{socket}"], speaking: transport),
            named: "keyboard")
    }

    private var notes: [String] {
        test.events.compactMap {
            switch $0 {
            case .accessory(let note): "\(note.accessory) \(note.adapter) \(note.kind): \(note.text)"
            case .note(let text): text
            default: nil
            }
        }
    }

    @Test("Its lines come in order, and lines are sent to it")
    func lines() async throws {
        let line = "echo at $SOCKET; read name; echo \"hello, $name\" >&2; sleep 100"
        let keyboard = try await attach(line, speaking: .unixSocket())
        #expect(keyboard.address == DeviceAddress("02:00:00:00:02:B8") && keyboard.adapter == 8)
        #expect(try await keyboard.prints("at ", within: .seconds(30)) == "at \(air.folder)/stack")
        let mark = keyboard.lines.mark
        try await keyboard.send("Kim")
        #expect(try await keyboard.prints("hello", since: mark, within: .seconds(30)) == "hello, Kim")
        await #expect(throws: TimedOut.self) {
            try await keyboard.prints("hello, Robin", within: .milliseconds(20))
        }
        #expect(keyboard.lines.events.map(\.stream) == [.output, .errors])
        #expect(notes == ["keyboard 8 output: at \(air.folder)/stack", "keyboard 8 errors: hello, Kim"])
        #expect(keyboard.exit == nil)
        #expect(await keyboard.stop() == .signalled(SIGTERM))
        #expect(keyboard.exit == .signalled(SIGTERM) && air.detachedStacks == [8])
        #expect(await keyboard.stop() == .signalled(SIGTERM), "a second time")
        await #expect(throws: HostStackError.self) { try await keyboard.send("Kim") }
        #expect(test.failures.isEmpty)
    }

    @Test("On standard streams it speaks with its controller, and only its errors are lines")
    func standardStreams() async throws {
        // The air sends back what it gets.
        let keyboard = try await attach("printf 'abcd'; head -c 4 >&2; echo >&2; exec sleep 100")
        #expect(try await keyboard.prints("abcd", within: .seconds(30)) == "abcd")
        let error = await #expect(throws: HostStackError.self) { try await keyboard.send("Kim") }
        #expect(error?.reason == "its standard input carries H4")
        await keyboard.stop()
        #expect(test.failures.isEmpty)
    }

    @Test("An exit that nobody asked for fails the scenario, with the last lines, and ends every wait")
    func exit() async throws {
        let keyboard = try await attach("for i in 1 2 3 4 5 6; do echo line $i >&2; done; exit 3")
        let error = await #expect(throws: HostStackError.self) {
            try await keyboard.prints("never", within: .seconds(60))
        }
        #expect(error?.description == "waiting for keyboard: it exited with 3")
        #expect(await keyboard.stop() == .exited(3))
        let lines = "line 2 / line 3 / line 4 / line 5 / line 6"
        #expect(
            test.failures.map(\.message)
                == ["keyboard exited with 3, and nobody had stopped it; its last lines: \(lines)"])
        #expect(test.failures.map(\.kind) == [.product])
        #expect(test.failures.first?.location?.file.hasSuffix("HostStackHandleTests.swift") == true)
    }

    @Test("The end of the lab stops it, without a failure")
    func endOfLab() async throws {
        let keyboard = try await attach("echo ready >&2; sleep 100")
        try await keyboard.prints("ready", within: .seconds(30))
        await test.lab.close()
        #expect(keyboard.exit == .signalled(SIGTERM) && test.failures.isEmpty)
    }

    @Test("A program that the air cuts off is killed, and that is the one failure")
    func cutOff() async throws {
        let keyboard = try await attach("trap '' TERM; echo ready >&2; while :; do sleep 0.01; done")
        try await keyboard.prints("ready", within: .seconds(30))
        test.lab.air.cutOff(8, "it speaks Latin")
        #expect(await keyboard.stop(within: .seconds(60)) == .signalled(SIGKILL))
        #expect(
            test.failures.map(\.message)
                == ["keyboard was cut off the air: it speaks Latin; its last lines: ready"])
        #expect(test.failures.map(\.kind) == [.product])
    }

    @Test("A flood of lines is bounded in the record, and its latest lines are kept")
    func flood() async throws {
        let keyboard = try await attach(
            "head -c 5000000 /dev/zero | tr '\\0' x >&2; echo >&2; yes flood | head -n 30000 >&2; "
                + "echo the end >&2; sleep 100")
        try await keyboard.prints("the end", within: .seconds(60))
        await keyboard.stop()
        #expect(keyboard.lines.events.count <= 10_000)
        #expect(keyboard.lines.events.allSatisfy { $0.text.utf8.count <= 2000 })
        #expect(notes.count { $0.hasPrefix("keyboard 8") } == 2000)
        #expect(notes.contains("keyboard prints too much: its further lines are not recorded"))
        #expect(notes.last == "28002 more lines of keyboard are not recorded")
        #expect(test.failures.isEmpty)
    }

    @Test("A program that cannot be started says why and what to do, and its controller is taken away")
    func missing() async throws {
        let cases: [(HostStack, String)] = [
            (
                .hostStack(command: ["no-such-keyboard", "-v"]),
                "starting keyboard (no-such-keyboard -v): No such file or directory — install the program, or give "
                    + "its path in the command"
            ),
            (
                .hostStack(command: ["true"], workingFolder: "/no/such"),
                "starting keyboard (true): entering the working folder /no/such: No such file or directory — make the "
                    + "folder, or name another workingFolder"
            ),
        ]
        for (stack, text) in cases {
            let error = await #expect(throws: HostStackError.self) {
                _ = try await test.lab.air.attach(stack, named: "keyboard")
            }
            #expect(error?.description == text)
        }
        #expect(air.detachedStacks == [8, 8])
    }

    private func ahead(_ stacks: [DeclaredHostStack]) -> HostStacksAhead {
        HostStacksAhead(
            stacks, at: SourceLocation(file: "A.swift", path: "/A.swift", line: 7),
            guardProgram: RunnerProcess.path(of: TestProgram.probe))
    }

    @Test("A program that is started before there is a controller waits for it, and speaks with it then")
    func waitsForController() async throws {
        let client = """
            import os, socket
            s = socket.socket(socket.AF_UNIX)
            s.connect(os.environ["SOCKET"])
            s.sendall(b"hello")
            print(s.recv(5).decode(), flush=True)
            s.recv(1)
            print("over", flush=True)
            """
        let stack = HostStack.hostStack(
            command: ["python3", "-c", client], environment: ["SOCKET": "{socket}"], speaking: .unixSocket())
        let stacks = ahead([DeclaredHostStack(stack: stack, name: "caller")])
        let program = try await stacks.programs[0].1.value
        let own = try #require(program.place)
        #expect(own.hasPrefix("/tmp/hil-"), "a socket that only this user reaches")
        test.lab.air.take(stacks)
        let caller = try await test.lab.air.hostStack("caller")
        #expect(try await caller.prints("hello", within: .seconds(30)) == "hello", "the air's echo")
        air.hangUp()
        try await caller.prints("over", within: .seconds(30))
        await caller.stop()
        #expect(!FileManager.default.fileExists(atPath: own))
        #expect(test.failures.map(\.message).allSatisfy { $0.hasPrefix("caller exited with 0, and nobody") })
    }

    @Test("A program that was started for a rig without host stacks is ended, and leaves no socket")
    func neverOnAir() async throws {
        let stack = HostStack.hostStack(
            command: ["sleep", "100"], environment: ["SOCKET": "{socket}"], speaking: .unixSocket())
        let stacks = ahead([DeclaredHostStack(stack: stack, name: "sleeper")])
        let program = try await stacks.programs[0].1.value
        let other = try TestLab(StubRigKind.twoAgents)
        other.lab.air.take(stacks)
        await #expect(throws: RigLacks.self) { _ = try await other.lab.air.hostStack("sleeper") }
        let end = await program.process.wait()
        let isKilled = if case .ended(.signalled, wasAsked: true) = end { true } else { false }
        #expect(isKilled, "\(end)")
        #expect(!FileManager.default.fileExists(atPath: try #require(program.place)))
    }

    @Test("A host stack that is declared is started beforehand, and a failure counts although nobody asks for it")
    func declared() async throws {
        let good = DeclaredHostStack(stack: .hostStack(command: ["sleep", "100"]), name: "sleeper")
        let bad = DeclaredHostStack(stack: .hostStack(command: ["no-such-keyboard"]), name: "keyboard")
        let location = SourceLocation(file: "A.swift", path: "/A.swift", line: 7)
        test.lab.air.take(ahead([good]))
        let sleeper = try await test.lab.air.hostStack("sleeper")
        #expect(sleeper.name == "sleeper" && sleeper.exit == nil)
        await sleeper.stop()
        test.lab.air.take(ahead([bad]))
        await test.lab.close()
        #expect(test.failures.map(\.location) == [location])
        #expect(test.failures.first?.message.hasPrefix("starting keyboard (no-such-keyboard)") == true)
        let error = await #expect(throws: HostStackError.self) { _ = try await test.lab.air.hostStack("mouse") }
        #expect(error?.reason == "the scenario does not declare it")
        let scenario = Scenario("Declares", .attaches(.hostStack(command: ["sleep"]), named: "a")) { _ in }
        #expect(scenario.traits.needs == [.hostStacks] && scenario.traits.hostStacks.map(\.name) == ["a"])
    }

    @Test(
        "A declaration that cannot work is refused before anything is started",
        arguments: [
            (HostStack.hostStack(command: []), "its command is empty"),
            (.hostStack(command: ["a\0b"]), "contains a zero byte"),
            (.hostStack(command: ["a"], environment: ["A=B": "c"]), "a variable's name"),
            (.hostStack(command: ["a", "b"], speaking: .unixSocket()), "neither its arguments nor its environment"),
            (.hostStack(command: ["a"], speaking: .unixSocket(placeholder: "")), "its placeholder is empty"),
        ])
    func declarations(stack: HostStack, reason: String) async {
        let error = await #expect(throws: HostStackError.self) { _ = try await test.lab.air.attach(stack) }
        #expect(error?.reason.contains(reason) == true)
        #expect(air.detachedStacks.isEmpty)
    }
}
