import Foundation
import HILExecution
import HILPOSIX
import StubRig
import Testing

extension RealRigTests {
    /// Errors that a board's kernel prints on its console.
    @Suite(.serialized)
    struct KernelErrorTests {
        @Test("A warning of a board's kernel makes the scenario an error of the rig, with the warning's text")
        func warning() async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run(["noAccessoryInRange"], out: results)
            _ = try await runner.lines.first(within: .seconds(120), waitingFor: "the body") { line in
                if case .bodyBegan? = line.worker { true } else { false }
            }
            let process = try #require(runner.family().first { $0.command.contains("hil-rig") })
            let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp/hil-\(geteuid())")
            let rig = try #require(names.first { $0.hasPrefix("\(process.identifier)-") })
            // Level 4, like the kernel's own warnings.
            let said = await Shell.output(
                [
                    RunnerProcess.path(of: "hil"), "shell", "accessory", "--rig", rig, "--",
                    "echo '<4>WARNING: CPU: 0 PID: 1 at net/made/up.c:7' >/dev/kmsg",
                ], withErrors: true)
            #expect(said == "")
            let (status, record) = await runner.end()
            #expect(status == .exited(2))
            let cause = record.entries.first?.result?.judgement.cause?.message ?? ""
            #expect(cause.hasPrefix("the accessory board's kernel: WARNING: CPU: 0 PID: 1 at net/made/up.c:7"))
        }
    }
}
