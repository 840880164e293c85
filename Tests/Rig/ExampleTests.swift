import Foundation
import HILExecution
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// The packages of `Fixtures/Examples`, built and run as their teams would. `make check` builds a package of
    /// `hil init` in their place, `OutsidePackageTests`.
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

        private static let examples = [
            Example(name: "Migration", cases: 3), Example(name: "Provisioning", cases: 7),
        ]
        private static let areBuilt = ProcessInfo.processInfo.environment["HIL_EXAMPLES"] == "all"

        /// Where all examples are built, one after the other, so that hil's own modules are built once.
        private static let built = "\(checkout)/.build/examples"
        private static let scratch = ["--scratch-path", built]

        /// Runs a program in a folder, with the Python packages of the tests.
        private static func run(_ words: [String], in folder: String) async throws -> ProgramOutput {
            try await ProgramOutput(
                of: [
                    "env", "-C", folder, "PYTHONPATH=\(checkout)/.build/tests-python:\(folder)/Accessory",
                    "PYTHONDONTWRITEBYTECODE=1",
                ] + words,
                environment: RunnerProcess.environment, withErrors: true)
        }

        @Test(
            "An example builds, and its scenarios pass on each kind of boards",
            .enabled(if: areBuilt, "run `make test-long`"), arguments: examples)
        func example(_ example: Example) async throws {
            try await Self.build(example.name)
            for boards in RealRig.boards {
                try await Self.passes(example.cases, ["--boards", boards], of: example.name)
            }
        }

        @Test(
            "Another phone uses both examples: the kettle over an update of the app, and the lantern into the home's network",
            .enabled(if: areBuilt, "run `make test-long`"))
        func byHand() async throws {
            let phone = "\(checkout)/Tests/Support/OtherPhone"
            let (temperature, improv) = ("7E771001-5B1E-4C0B-8B39-0A5E4D1C9F10", "00467768-6228-2272-4663-2774782680")
            try await Self.build("Migration")
            try await Self.passes(
                1,
                [
                    "kettleIsMigrated", "--rig", "hand,virtual", "--person",
                    """
                    python3 \(phone)/phone.py --step 'set up as before=pick Kettle 1' \
                    --step 'update the app=subscribe \(temperature)' --see 'hears of a change=\(temperature)' \
                    --step 'launch again=leave; return; subscribe \(temperature)'
                    """,
                ], of: "Migration")
            try await Self.build("Provisioning")
            try await Self.passes(
                2,
                [
                    "lanternIsOnboarded", "--rig", "hand,virtual", "--person",
                    """
                    python3 \(phone)/lantern.py --unpaired --step 'info=subscribe \(improv)04; write \(improv)03 030003' \
                    --step 'identify=write \(improv)03 020002' --step provision=provision
                    """,
                ], of: "Provisioning")
        }

        private static func build(_ example: String) async throws {
            let build = try await run(
                ["swift", "build", "--quiet", "--disable-index-store", "-Xswiftc", "-gnone", "--product", "hil"]
                    + scratch, in: "\(checkout)/Fixtures/Examples/\(example)")
            try #require(build.status.isSuccess, "\(build.text)")
            #expect(!build.text.contains("warning:"), "\(build.text)")
        }

        /// Expects that so many cases of the example that was built last pass.
        private static func passes(_ cases: Int, _ options: [String], of example: String) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            // Elsewhere it takes the folder that it is called in for its package.
            let hil = "\(results)-hil"
            defer { try? FileManager.default.removeItem(atPath: hil) }
            try FileManager.default.copyItem(atPath: "\(built)/debug/hil", toPath: hil)
            let run = try await run(
                [hil, "run"] + options + ["--out", results], in: "\(checkout)/Fixtures/Examples/\(example)")
            #expect(run.status.isSuccess && run.text.contains("\(cases) passed"), "\(run.text)")
        }

        @Test("The unit tests of the lantern's program pass")
        func lantern() async throws {
            let tests = try await Self.run(
                ["python3", "-m", "unittest", "discover", "Tests/Accessory"],
                in: "\(checkout)/Fixtures/Examples/Provisioning")
            #expect(tests.status.isSuccess && tests.text.contains("OK"), "\(tests.text)")
        }

        @Test("The unit tests of the lantern's app pass", .enabled(if: areBuilt, "run `make test-long`"))
        func lanternApp() async throws {
            let tests = try await Self.run(
                ["swift", "test", "--quiet", "--disable-xctest", "-Xswiftc", "-gnone"] + Self.scratch,
                in: "\(checkout)/Fixtures/Examples/Provisioning")
            #expect(tests.status.isSuccess, "\(tests.text)")
        }
    }
}
