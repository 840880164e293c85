import Foundation
import HILExecution
import StubRig
import Testing

/// The folder with the sources of the stacks in C, as their projects publish them: `nimble` and `btstack`.
private let sources = ProcessInfo.processInfo.environment["HIL_HOST_STACKS"]

extension RealRigTests {
    /// The phone's Bluetooth host and the host stacks of others pair in both roles and by each method, exchange values, come
    /// back with their bond, and name the reason of a failure.
    @Suite(.serialized)
    struct HostStackInteropTests {
        private func run(_ stack: String) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RunnerProcess(
                "hil-host-stack-interop",
                [
                    "run", "--boards", "native", "--jobs", "2", "--format", "json", "--out", results, "--where",
                    "stack=\(stack)",
                ])
            let (status, record) = await runner.end()
            let failures = record.entries.compactMap { entry in
                entry.result.map { "\(entry.info.identifier): \($0.judgement.failures)" }
            }
            #expect(status == .exited(0), "\(failures)")
            // Two roles, each with seven methods and six refusals.
            #expect(record.count(.passed) == 26)
        }

        @Test("Bumble") func bumble() async throws { try await run("bumble") }

        @Test(
            "Stacks in C, which are built from their sources",
            .enabled(if: sources != nil, "HIL_HOST_STACKS names no folder with the sources of NimBLE and BTstack"),
            arguments: ["nimble", "btstack"])
        func stackInC(_ stack: String) async throws {
            let folder = try #require(sources)
            let built = await Shell.output(["Tests/HostStackInterop/build", folder, stack], withErrors: true)
            try #require(built == ".build/host-stacks/\(stack)\n")
            try await run(stack)
        }
    }
}
