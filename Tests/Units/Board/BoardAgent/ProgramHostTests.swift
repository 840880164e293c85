import BoardProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import TestSupport
import Testing

@testable import BoardAgent

/// A host of programs with real processes, in a folder of its own.
private final class Stand: Sendable {
    let folder: String
    let events = EventLog<BoardEvent>()
    let host: ProgramHost

    /// - Parameter folder: The folder of another, which is older; nil for a new one.
    init(in folder: String? = nil) throws {
        self.folder = folder ?? NSTemporaryDirectory() + "hil-host-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        host = ProgramHost(
            folder: self.folder, fenceName: "hil-test-\(UUID().uuidString)", journal: Journal { _ in }
        ) { [events] in events.append($0) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func start(_ script: String) async throws -> Int {
        try await host.start(ProgramRequest(command: ["sh", "-c", script]))
    }

    func startAhead(_ script: String) async throws -> ProgramRequest {
        let request = ProgramRequest(command: ["sh", "-c", script])
        _ = try await host.start(request, isAhead: true)
        return request
    }

    var lines: [ProgramLine] {
        events.events.flatMap { event -> [ProgramLine] in
            if case .programPrinted(let lines, _, _) = event { return lines }
            return []
        }
    }

    /// Waits for a line that contains this text.
    @discardableResult
    func line(_ text: String) async throws -> String {
        let found = try await events.first(within: .seconds(300), waitingFor: "the line “\(text)”") {
            if case .programPrinted(let lines, _, _) = $0 { lines.contains { $0.text.contains(text) } } else { false }
        }
        guard case .programPrinted(let lines, _, _) = found.event else { return "" }
        return lines.first { $0.text.contains(text) }?.text ?? ""
    }

    /// Waits for the end of a run.
    func end(of run: Int) async throws -> (exit: ProgramExit, wasAsked: Bool)? {
        let found = try await events.first(within: .seconds(300), waitingFor: "the end") {
            if case .programEnded(_, _, run, _) = $0 { true } else { false }
        }
        if case .programEnded(let exit, let wasAsked, _, _) = found.event { return (exit, wasAsked) }
        return nil
    }

    /// Sends a payload as the runner does.
    func receive(_ entries: [Payload.Entry]) throws -> PayloadID {
        let bytes = try Payload(entries).encoded()
        let payload = PayloadID(digest: PayloadStore.digest(bytes), size: bytes.count)
        var rest = bytes.prefix(try host.payloads.offer(payload))
        while !rest.isEmpty {
            host.payloads.take(Array(rest.prefix(1000)))
            rest = rest.dropFirst(1000)
        }
        return payload
    }
}

/// Some tests need what the agent has on a board.
private let isRoot = getuid() == 0

/// Whether a process exists and is not only waiting to be reaped.
private func isAlive(_ process: pid_t) -> Bool {
    guard let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
    return !String(decoding: stat, as: UTF8.self).contains(") Z ")
}

@Suite(.serialized, .timeLimit(.minutes(2))) struct ProgramHostTests {
    @Test("Lines of both streams are told, also if a character comes in two pieces, and all come before the end")
    func lines() async throws {
        let stand = try Stand()
        let run = try await stand.start(#"printf 'caf\303'; sleep 0.1; printf '\251\n'; echo oops >&2; printf rest"#)
        let end = try #require(try await stand.end(of: run))
        #expect(end.exit == .code(0) && !end.wasAsked)
        #expect(stand.lines.filter { $0.source == .output }.map(\.text) == ["café", "rest"])
        #expect(stand.lines.filter { $0.source == .errors }.map(\.text) == ["oops"])
        guard case .programEnded? = stand.events.events.last else {
            Issue.record("the end is not last")
            return
        }
    }

    @Test("An exit and a signal that nobody asked for are told as they are")
    func ends() async throws {
        let stand = try Stand()
        let first = try await stand.start("exit 7")
        #expect(try await stand.end(of: first)?.exit == .code(7))
        let second = try await stand.start("kill -SEGV $$")
        let end = try #require(try await stand.end(of: second))
        #expect(end.exit == .signal(SIGSEGV) && !end.wasAsked)
        #expect("\(end.exit)" == "was ended by signal 11 (Segmentation fault)")
    }

    @Test("A flood is read to its end, but only the budget of it is told, and that something is missing")
    func flood() async throws {
        let stand = try Stand()
        let run = try await stand.start("seq 1 300000; echo done")
        #expect(try await stand.end(of: run)?.exit == .code(0), "the program is not held up")
        let notes = stand.lines.filter { $0.source == .board }.map(\.text)
        #expect(stand.lines.count < 30_000 && !notes.isEmpty)
        #expect(notes.first == "the program prints too much: lines are left out from here on")
        let missing = notes.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }.reduce(0, +)
        #expect(missing + stand.lines.count - notes.count == 300_001)
    }

    @Test(
        "Daemons that left their parent, group and session end with the program, whichever way it ends",
        .enabled(if: isRoot, "control groups need root"))
    func children() async throws {
        let stand = try Stand()
        let script = "(setsid sh -c 'echo daemon $$; exec sleep 1000' &); read x; exit 0"
        for isAsked in [true, false] {
            let run = try await stand.start(script)
            _ = try await stand.events.first(within: .seconds(300), waitingFor: "the daemon") {
                guard case .programPrinted(let lines, run, _) = $0 else { return false }
                return lines.contains { $0.text.hasPrefix("daemon ") }
            }
            let daemon = try #require(
                stand.lines.last { $0.text.hasPrefix("daemon ") }?.text.split(separator: " ").last.flatMap { pid_t($0) }
            )
            #expect(isAlive(daemon))
            if isAsked {
                _ = try await stand.host.stop(grace: .seconds(5))
            } else {
                try await stand.host.send(Data("\n".utf8))
            }
            #expect(try await stand.end(of: run)?.wasAsked == isAsked)
            #expect(!isAlive(daemon), "when the end is told, nothing of it runs")
        }
    }

    @Test(
        "What the program of an agent that was killed has left behind is found by its fence, and ended",
        .enabled(if: isRoot, "control groups need root"))
    func leftOver() async throws {
        let name = "hil-test-\(UUID().uuidString)"
        let fence = try #require(
            await ProcessFence.make(named: name, mountPoint: "/run/hil-test-cgroup"))
        let output = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            ["sh", "-c", "echo 0 >\(fence.entrance); setsid sh -c 'echo; exec sleep 1000' & exec sleep 1000"],
            streams: [.null, .descriptor(output.write), .null])
        defer { child.signal(SIGKILL) }
        output.write.close()
        // Both are inside when the second says something.
        #expect(try output.read.read() == [0x0A])
        await ProcessFence.endLeftOver(named: name)
        // A fence that holds a process cannot be removed.
        try #require(!FileManager.default.fileExists(atPath: fence.entrance))
        #expect(await child.wait() == .signalled(SIGKILL))
        await ProcessFence.endLeftOver(named: name)
    }

    @Test("A program that ignores the request to end is killed after its time")
    func stubborn() async throws {
        let stand = try Stand()
        _ = try await stand.start("trap 'echo asked' TERM; echo up; while :; do sleep 0.05; done")
        try await stand.line("up")
        await #expect(throws: RadioError.self, "one at a time") { try await stand.start("true") }
        #expect(try await stand.host.stop(grace: .milliseconds(500)) == .signal(SIGKILL))
        try await stand.line("asked")
        #expect(await !stand.host.isRunning)
    }

    @Test("Standard input leads to the program; one that does not take it is told")
    func input() async throws {
        let stand = try Stand()
        let run = try await stand.start("read a; echo \"got $a\"; exec <&-; echo closed; sleep 1000")
        try await stand.host.send(Data("hello\n".utf8))
        try await stand.line("got hello")
        try await stand.line("closed")
        let refused = await #expect(throws: RadioError.self) { try await stand.host.send(Data("more\n".utf8)) }
        #expect("\(try #require(refused))".contains("does not take input"))
        await stand.host.end()
        #expect(try await stand.end(of: run)?.wasAsked == true)
        await #expect(throws: RadioError.self) { try await stand.host.send(Data([0x0A])) }
    }

    @Test("A payload is unpacked with permissions and links, kept by its content, and fresh for each start")
    func payload() async throws {
        let stand = try Stand()
        let entries: [Payload.Entry] = [
            .init("bin", mode: 0o755, .folder),
            .init(
                "bin/run", mode: 0o755,
                .file(ArraySlice("#!/bin/sh\ncat ../note; readlink ../link; echo x >>../note\n".utf8))),
            .init("link", .link(target: "bin/run")), .init("note", mode: 0o600, .file(ArraySlice("first\n".utf8))),
            .init("locked", mode: 0o555, .folder), .init("locked/in", .file([])),
        ]
        let payload = try stand.receive(entries)
        var request = ProgramRequest(payload: payload, command: ["./run"], folder: "bin")
        #expect(try await stand.end(of: stand.host.start(request))?.exit == .code(0))
        #expect(stand.lines.map(\.text) == ["first", "bin/run"])
        #expect(try stand.host.payloads.offer(payload) == 0, "the board has it")

        #expect(try await stand.end(of: stand.host.start(request))?.exit == .code(0))
        #expect(stand.lines.map(\.text) == ["first", "bin/run", "first", "bin/run"], "a fresh copy")
        request.keepsFiles = true
        #expect(try await stand.end(of: stand.host.start(request))?.exit == .code(0))
        #expect(stand.lines.map(\.text).suffix(3) == ["first", "x", "bin/run"], "as it was left")
        #expect(try await stand.host.fetch("../note") == Data("first\nx\nx\n".utf8))

        // Another agent, after a power cut.
        let later = try Stand(in: stand.folder)
        #expect(try await later.end(of: later.host.start(request))?.exit == .code(0))
        #expect(later.lines.map(\.text) == ["first", "x", "x", "bin/run"], "as the disk has it")
        request.payload = try later.receive(entries.dropLast())
        #expect(try await later.end(of: later.host.start(request))?.exit == .code(0))
        #expect(later.lines.map(\.text).suffix(2) == ["first", "bin/run"], "other files")
    }

    @Test("A payload that did not arrive whole, or is not what its name says, is the rig's fault and is not used")
    func damagedPayload() async throws {
        let stand = try Stand()
        let bytes = try Payload([.init("a", .file([1, 2, 3]))]).encoded()
        let payload = PayloadID(digest: PayloadStore.digest(bytes), size: bytes.count)
        for wrong in [Array(bytes.dropLast()), bytes + [0], Array(bytes.dropLast()) + [9]] {
            _ = try stand.host.payloads.offer(payload)
            stand.host.payloads.take(wrong)
            let error = await #expect(throws: RadioError.self) {
                try await stand.host.start(ProgramRequest(payload: payload, command: ["true"]))
            }
            guard case .rig? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(throws: RadioError.self) { try stand.host.payloads.offer(PayloadID(digest: "../x", size: 3)) }
    }

    @Test("A mistake in the request is told in words, with what to do")
    func mistakes() async throws {
        let stand = try Stand()
        let files: [Payload.Entry] = [
            .init("plain", .file(ArraySlice("x".utf8))), .init("sub", mode: 0o755, .folder),
            .init("script", mode: 0o755, .file(ArraySlice("#!/usr/bin/no-such-python3\n".utf8))),
            .init("tool", mode: 0o755, .file(ArraySlice("#!/bin/sh\n".utf8))),
        ]
        let payload = try stand.receive(files)
        func told(_ change: (inout ProgramRequest) -> Void) async -> String {
            var request = ProgramRequest(payload: payload, command: ["true"])
            change(&request)
            do { _ = try await stand.host.start(request) } catch RadioError.invalid(let why) { return why } catch {
                return "another error: \(error)"
            }
            await stand.host.end()
            return "started"
        }
        #expect(await told { $0.command = ["no-such-tool"] }.contains("add its Debian package to `packages`"))
        #expect(
            await told { $0.command = ["./missing"] }
                == "“./missing” is not on the board: add it to the program's files")
        #expect(await told { $0.command = ["./plain"] }.contains("not executable: run `chmod +x`"))
        #expect(await told { $0.command = ["./sub"] }.contains("is not a file"))
        #expect(await told { $0.command = ["tool"] }.contains("run the file of this name as “./tool”"))
        #expect(await told { $0.command = ["./script"] }.contains("a script for /usr/bin/no-such-python3"))
        #expect(await told { $0.command = [] } == "the program's command is empty")
        #expect(await told { $0.command = ["a\0b"] }.contains("zero byte"))
        #expect(await told { $0.user = "no-such-user" }.contains("no user “no-such-user”"))
        #expect(await told { $0.folder = "missing" }.contains("working folder missing is not on the board"))
        #expect(await told { $0.folder = "plain" }.contains("working folder plain is not on the board"))
        #expect(await told { _ in } == "started")
    }

    @Test(
        "Words of the command and the environment reach the program as they are, and its user and folder are set",
        .enabled(if: isRoot, "only root may become another user"))
    func words() async throws {
        let stand = try Stand()
        let word = "a 'b' \"c\" $HOME `id`; exit 9"
        let request = ProgramRequest(
            command: ["sh", "-c", "printf '%s\\n' \"$1\" \"$WORD\" \"$PWD\" \"$(id -un)\" \"$HOME\"", "sh", word],
            environment: ["WORD": word], folder: "/usr", user: "nobody")
        #expect(try await stand.end(of: stand.host.start(request))?.exit == .code(0))
        #expect(stand.lines.map(\.text) == [word, word, "/usr", "nobody", "/nonexistent"])
    }

    @Test("Only regular files of a limited size are fetched; pipes, devices and folders do not hold the agent up")
    func fetch() async throws {
        let stand = try Stand()
        let file = "\(stand.folder)/file"
        try Data("content".utf8).write(to: URL(fileURLWithPath: file))
        mkfifo("\(stand.folder)/pipe", 0o600)
        symlink(file, "\(stand.folder)/link")
        symlink("loop", "\(stand.folder)/loop")
        try Data(count: BoardProtocol.longestFile + 1).write(to: URL(fileURLWithPath: "\(stand.folder)/large"))
        try Data(count: BoardProtocol.longestFile).write(to: URL(fileURLWithPath: "\(stand.folder)/fits"))
        #expect(try await stand.host.fetch(file) == Data("content".utf8))
        #expect(try await stand.host.fetch("\(stand.folder)/link") == Data("content".utf8))
        #expect(try await stand.host.fetch("\(stand.folder)/fits").count == BoardProtocol.longestFile)
        #expect(try await stand.host.fetch("/proc/self/stat").count > 10, "its size is 0 before it is read")
        for path in ["pipe", "loop", "large", "missing", ""].map({ "\(stand.folder)/\($0)" }) + [
            "/dev/zero", "", "a\0",
        ] {
            await #expect(throws: RadioError.self, "\(path)") { try await stand.host.fetch(path) }
        }
    }

    @Test("A listener is found in the kernel's table, and waited for")
    func sockets() async throws {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
               1: 0100007F:1F91 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0 20 4 30 10 -1
            """
        #expect(ProgramHost.hasListener(on: 8080, in: table) && !ProgramHost.hasListener(on: 8081, in: table))
        #expect(!ProgramHost.hasListener(on: 0, in: "x\n: : : 0A"))
        let listener = try TCPListener(on: "127.0.0.1", port: 0) { _ in }
        try await withDeadline(.seconds(10), waitingFor: "the listener") { [port = listener.port] in
            try await ProgramHost.waitForListener(on: port)
        }
    }

    @Test("A program that was started ahead tells nothing until somebody takes it over, and then everything in order")
    func takenOver() async throws {
        let stand = try Stand()
        let request = try await stand.startAhead("echo one; read line; echo two; exec sleep 60")
        try await stand.host.waitForLine(containing: "one")
        try await stand.host.requireAhead()
        #expect(stand.events.events.isEmpty)
        #expect(await stand.host.takeOver(ProgramRequest(command: ["other"])) == nil)
        #expect(await stand.host.takeOver(request) == 1)
        #expect(stand.lines.map(\.text) == ["one"])
        try await stand.host.send(Data("go\n".utf8))
        try await stand.line("two")
        #expect(stand.lines.map(\.text) == ["one", "two"])
        // From now on it is a program as any other.
        #expect(await stand.host.takeOver(request) == nil)
        _ = try await stand.host.stop(grace: .zero)
    }

    @Test("A program that was started ahead and has ended is no program to save, and its end is told")
    func endedAhead() async throws {
        let stand = try Stand()
        let request = try await stand.startAhead("echo one; exit 3")
        try await stand.host.waitForLine(containing: "never")
        await #expect(throws: RadioError.self) { try await stand.host.requireAhead() }
        #expect(await stand.host.takeOver(request) == 1)
        guard case .programEnded(.code(3), false, 1, _) = stand.events.events.last else {
            Issue.record("the end is not told: \(stand.events.events)")
            return
        }
    }
}
