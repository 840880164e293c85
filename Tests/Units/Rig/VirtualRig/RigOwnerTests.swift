import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import RigModel
import Testing

@testable import VirtualRig

@Suite("The owner of a rig's process")
struct RigOwnerTests {
    /// Calls `body` with the owner of a shell script in place of `hil-rig`.
    private func withOwner(script: String, _ body: (RigOwner, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let program = "\(folder)/rig"
            try write(script, to: program)
            let configuration = RigConfiguration(
                purpose: .run, parts: .sample(), airProgram: "/hil-air", evidence: folder, base: folder, timeLimit: 1)
            let owner = try RigOwner(["sh", program], configuration: configuration)
            try await body(owner, folder)
            await owner.stop()
        }
    }

    private func line(_ status: RigStatus) throws -> String {
        quoted(String(decoding: try JSONEncoder().encode(status), as: UTF8.self))
    }

    /// The start of a script: prints the first line of every `hil-rig`.
    private func hello(_ versions: RigProtocol.Versions = .own) throws -> String {
        "echo \(try line(.hello(versions)));"
    }

    @Test("The process gets its configuration, and its messages arrive")
    func status() async throws {
        let ready = RigStatus.ready(RigProcesses(host: 1, accessory: 2, air: 3))
        let script = "read -r line; echo \"$line\" >$(dirname $0)/got; \(try hello()) echo \(try line(ready)); cat"
        try await withOwner(script: script) { owner, folder in
            let told = try await owner.wait(until: { $0 == ready }, within: .seconds(10))
            #expect(told == ready)
            let got = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/got"))
            #expect(try JSONDecoder().decode(RigConfiguration.self, from: got).parts == .sample())
        }
    }

    @Test("The failure of the process is thrown unchanged, and its end as a loss")
    func failures() async throws {
        let error = RigFailure("starting the rig", "no space", remedy: "free some")
        try await withOwner(script: "\(try hello()) echo \(try line(.failed(error))); cat") { owner, _ in
            await #expect(throws: error) { try await owner.wait(until: { _ in false }, within: .seconds(10)) }
        }
        try await withOwner(script: "exit 7") { owner, _ in
            await #expect(throws: RigFailure("starting the rig", "the rig's own process exited with 7")) {
                try await owner.wait(until: { _ in false }, within: .seconds(10))
            }
        }
    }

    @Test("A process of another version is an error at once, with both versions")
    func versions() async throws {
        var other = RigProtocol.Versions.own
        other.board += 1
        let met = "but its runner speaks \(RigProtocol.Versions.own)"
        for (script, its) in [
            (try hello(other), "\(other)"), ("echo \(try line(.started(folder: "/x")));", "a version without a number"),
        ] {
            try await withOwner(script: script + " cat") { owner, _ in
                let error = await #expect(throws: RigFailure.self) {
                    try await owner.wait(until: { _ in false }, within: .seconds(60))
                }
                #expect(error?.reason == "hil-rig speaks \(its) of rig, air and board protocol, \(met)")
            }
        }
    }

    @Test("An unreadable line is an error at once, with its start")
    func unreadable() async throws {
        try await withOwner(script: "\(try hello()) echo nonsense; cat") { owner, folder in
            let error = await #expect(throws: RigFailure.self) {
                try await owner.wait(until: { _ in false }, within: .seconds(60))
            }
            let reason = "the rig's own process wrote an unreadable message: 8 bytes, “nonsense”: "
            #expect(error?.reason.hasPrefix(reason) == true)
            await #expect(throws: RigFailure.self) { try await owner.saveBoards(in: "\(folder)/kept") }
        }
    }

    @Test("A call that the process could not carry out is an error at once")
    func refusedCall() async throws {
        let refusal = Answerer<RigCall>.answer(
            1, .failure(RigCall.unanswerable("the call saveBoards: it is unknown here")))
        let answer = String(decoding: refusal, as: UTF8.self)
        let script = "\(try hello()) read -r line; read -r line; echo '\(answer)'; cat"
        try await withOwner(script: script) { owner, folder in
            let error = await #expect(throws: RigFailure.self) {
                try await owner.saveBoards(in: "\(folder)/kept")
            }
            #expect(error?.reason == "hil-rig cannot answer: the call saveBoards: it is unknown here")
        }
    }

    @Test(
        "The loss of a part ends a call at once, with its reason; an answer that comes too late is no loss of the rig")
    func lossWhileAsked() async throws {
        let late = String(decoding: Answerer<RigCall>.answer(7, .success(Reply<Done>()())), as: UTF8.self)
        let loss = try line(.lost(RigLoss(part: .air, how: "was ended by signal 9")))
        let script = "\(try hello()) echo '\(late)'; read -r line; read -r line; echo \(loss); cat"
        try await withOwner(script: script) { owner, folder in
            let error = await #expect(throws: RigFailure.self) { try await owner.saveBoards(in: "\(folder)/kept") }
            #expect(error?.reason == "the air was ended by signal 9")
            #expect(
                owner.told.events.contains { if case .lost(let loss) = $0 { loss.part == .rig } else { false } }
                    == false)
        }
    }

    /// The messages of the real `hil-rig` for these lines of input.
    private func told(_ lines: String) async throws -> [RigStatus] {
        let (input, output) = (try Descriptor.pipe(), try Descriptor.pipe())
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let process = try ChildProcess.spawn(
            [program.appendingPathComponent("hil-rig").path],
            streams: [.descriptor(input.read), .descriptor(output.write), .null])
        output.write.close()
        input.read.close()
        try input.write.write(Array(lines.utf8))
        input.write.close()
        var bytes: [UInt8] = []
        while case let more = try output.read.read(), !more.isEmpty { bytes += more }
        _ = await process.wait()
        return try bytes.split(separator: 0x0A).map { try JSONDecoder().decode(RigStatus.self, from: Data($0)) }
    }

    @Test("The program refuses a runner of another version, and says so")
    func program() async throws {
        let old = try await told("{}\n")
        #expect(old == [.hello(.own), .failed(try #require(RigProtocol.mismatch(rig: .own, runner: nil)))])
        let newer = try await told(#"{"versions":{"rig":99,"air":1,"board":5},"dance":1}"# + "\n")
        guard case .failed(let error)? = newer.last else {
            Issue.record("\(newer)")
            return
        }
        #expect(error.reason.hasSuffix("but its runner speaks version 99.1.5"))
        let own = String(decoding: try JSONEncoder().encode(RigProtocol.Versions.own), as: UTF8.self)
        guard case .failed(let broken)? = try await told(#"{"versions":\#(own)}"# + "\n").last else { return }
        #expect(broken.action == "reading the rig's configuration")
    }

    @Test("An air with another version than its parent says so and ends", arguments: ["0", "99"])
    func air(version: String) async throws {
        try await withTemporaryFolder { folder in
            let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let log = try Descriptor.open("\(folder)/air.log", O_WRONLY | O_CREAT | O_APPEND)
            let process = try ChildProcess.spawn(
                [
                    program.appendingPathComponent("hil-air").path, "--rig", folder, "--library", "/x", "--log",
                    "\(folder)/air.log", "--protocol", version,
                ], streams: [.null, .descriptor(log), .descriptor(log)])
            #expect(await process.wait() == .exited(2))
            let told = try String(contentsOfFile: "\(folder)/air.log", encoding: .utf8)
            #expect(
                told.contains(
                    "hil-air speaks version \(AirProtocol.version) of its protocol, but its caller speaks version \(version): "
                ))
        }
    }

    @Test("The process ends when its standard input ends")
    func lifeline() async throws {
        try await withOwner(script: "cat >/dev/null; echo ended >$(dirname $0)/ended") { owner, folder in
            await owner.stop()
            #expect(names(in: folder).contains("ended"))
        }
    }
}
