import Foundation
import HILExecution
import StubRig
import Testing

extension RealRigTests {
    /// The packages of `Fixtures/Examples`, built and run as their teams would. `make check` has one of them, and
    /// `make test-long` all.
    @Suite(
        .serialized,
        .enabled(
            if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all",
            "building them takes minutes: run `make check`"))
    struct ExampleTests {
        /// An example: its folder, and how many cases its scenarios have.
        struct Example: Sendable, CustomTestStringConvertible {
            let name: String
            let cases: Int
            var testDescription: String { name }
        }

        private static let examples: [Example] = {
            let migration = Example(name: "Migration", cases: 3)
            let isLong = ProcessInfo.processInfo.environment["HIL_EXAMPLES"] == "all"
            return isLong ? [migration, Example(name: "Provisioning", cases: 7)] : [migration]
        }()

        /// Runs a program in a folder, with the Python packages of the tests.
        private static func run(_ words: [String], in folder: String) async throws -> ProgramOutput {
            try await ProgramOutput(
                of: [
                    "env", "-C", folder, "PYTHONPATH=\(PackageBuild.checkout)/.build/tests-python:\(folder)/Accessory",
                    "PYTHONDONTWRITEBYTECODE=1",
                ] + words,
                environment: RunnerProcess.environment, withErrors: true)
        }

        @Test("An example builds, and its scenarios pass on each kind of boards", arguments: examples)
        func example(_ example: Example) async throws {
            let folder = "\(PackageBuild.checkout)/Fixtures/Examples/\(example.name)"
            let build = try await PackageBuild.build(folder, product: "hil")
            try #require(build.status.isSuccess, "\(build.text)")
            #expect(!build.text.contains("warning:"), "\(build.text)")
            for boards in RealRig.boards {
                let results = RealRig.results()
                defer { try? FileManager.default.removeItem(atPath: results) }
                // Elsewhere it takes the folder that it is called in for its package.
                let hil = "\(results)-hil"
                defer { try? FileManager.default.removeItem(atPath: hil) }
                try PackageBuild.copyProgram(to: hil)
                let run = try await Self.run(
                    [hil, "run", "--boards", boards, "--out", results], in: folder)
                #expect(run.status.isSuccess && run.text.contains("\(example.cases) passed"), "\(run.text)")
            }
        }

        @Test("The unit tests of the lantern's program pass")
        func lantern() async throws {
            let tests = try await Self.run(
                ["python3", "-m", "unittest", "discover", "Tests/Accessory"],
                in: "\(PackageBuild.checkout)/Fixtures/Examples/Provisioning")
            #expect(tests.status.isSuccess && tests.text.contains("OK"), "\(tests.text)")
        }

        @Test("The unit tests of the lantern's app pass", .enabled(if: examples.count > 1, "run `make test-long`"))
        func lanternApp() async throws {
            let tests = try await Self.run(
                ["swift", "test", "--disable-xctest"] + PackageBuild.options,
                in: "\(PackageBuild.checkout)/Fixtures/Examples/Provisioning")
            #expect(tests.status.isSuccess, "\(tests.text)")
        }
    }
}
