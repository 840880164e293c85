import Foundation
import HILExecution
import StubRig
import TestSupport
import Testing

private let environment = ProcessInfo.processInfo.environment
/// The folder with the sources of the stacks in C, as their projects publish them: `nimble` and `btstack`.
private let sources = environment["HIL_HOST_STACKS"]

extension RealRigTests {
    /// The phone's Bluetooth host and the host stacks of others, in both roles.
    @Suite(.serialized)
    struct HostStackInteropTests {
        /// Two roles, each with this many methods of pairing and ways to fail.
        private static let cases = (pairings: 2 * 7, refusals: 2 * 6)

        private func run(_ stack: String, _ scenarios: [String] = [], passing count: Int) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RunnerProcess(
                TestProgram.trials,
                [
                    "host-stack-interop", "run", "--boards", "native", "--jobs", "2", "--format", "json", "--out",
                    results, "--where",
                    "stack=\(stack)",
                ] + scenarios)
            let (status, record) = await runner.end()
            let failures = record.entries.flatMap { $0.result?.judgement.failures ?? [] }
            #expect(status == .exited(0), "\(failures)")
            #expect(record.count(.passed) == count)
        }

        @Test("Bumble and the phone pair by each method, exchange values and come back with their bond")
        func bumble() async throws {
            try await run("bumble", ["otherStackPairs"], passing: Self.cases.pairings)
        }

        @Test(
            "Bumble and the phone hear why a pairing has failed",
            .enabled(if: environment["HIL_INTEROP"] != nil, "HIL_INTEROP is not set"))
        func bumbleIsRefused() async throws {
            try await run("bumble", ["otherStackIsRefused"], passing: Self.cases.refusals)
        }

        @Test(
            "The same with stacks in C, which are built from their sources",
            .enabled(if: sources != nil, "HIL_HOST_STACKS names no folder with the sources of NimBLE and BTstack"),
            arguments: ["nimble", "btstack"])
        func stackInC(_ stack: String) async throws {
            let folder = try #require(sources)
            let built = await Shell.output(
                ["Tests/Programs/Trials/HostStackInterop/build", folder, stack], withErrors: true)
            try #require(built == ".build/host-stacks/\(stack)\n")
            try await run(stack, passing: Self.cases.pairings + Self.cases.refusals)
        }
    }
}
