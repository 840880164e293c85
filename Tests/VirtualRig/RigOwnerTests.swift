import BoardProtocol
import Foundation
import POSIX
import Testing

@testable import VirtualRig

@Suite("The hold on a rig's process")
struct RigOwnerTests {
    /// Calls `body` with the hold on a shell script that stands for `hil-rig`.
    private func withOwner(script: String, _ body: (RigOwner, String) async throws -> Void) async throws {
        ignoreBrokenPipes()
        try await withTemporaryFolder { folder in
            let program = "\(folder)/rig"
            try write(script, to: program)
            let configuration = RigConfiguration(
                purpose: .run, parts: .sample(), airProgram: "/hil-air", evidence: folder, base: folder, patience: 1)
            let owner = try RigOwner(["sh", program], configuration: configuration)
            try await body(owner, folder)
            await owner.stop()
        }
    }

    private func line(_ status: RigStatus) throws -> String {
        quoted(String(decoding: try JSONEncoder().encode(status), as: UTF8.self))
    }

    @Test("It gets its configuration, and what it tells arrives, between lines that are nothing")
    func status() async throws {
        let ready = RigStatus.ready(RigProcesses(host: 1, accessory: 2, air: 3))
        let script = "read -r line; echo \"$line\" >$(dirname $0)/got; echo nonsense; echo \(try line(ready)); cat"
        try await withOwner(script: script) { owner, folder in
            let told = try await owner.wait(until: { $0 == ready }, within: .seconds(10))
            #expect(told == ready)
            let got = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/got"))
            #expect(try JSONDecoder().decode(RigConfiguration.self, from: got).parts == .sample())
        }
    }

    @Test("Its failure is thrown as it was told, and its death as a loss")
    func failures() async throws {
        let error = VirtualRigError("starting the rig", "no space", remedy: "free some")
        try await withOwner(script: "echo \(try line(.failed(error))); cat") { owner, _ in
            await #expect(throws: error) { try await owner.wait(until: { _ in false }, within: .seconds(10)) }
        }
        try await withOwner(script: "exit 7") { owner, _ in
            await #expect(throws: VirtualRigError("starting the rig", "the rig's own process exited with 7")) {
                try await owner.wait(until: { _ in false }, within: .seconds(10))
            }
        }
    }

    @Test("It ends when its standard input does")
    func lifeline() async throws {
        try await withOwner(script: "cat >/dev/null; echo ended >$(dirname $0)/ended") { owner, folder in
            await owner.stop()
            #expect(names(in: folder).contains("ended"))
        }
    }
}
