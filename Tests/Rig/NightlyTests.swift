import Foundation
import HILPOSIX
import StubRig
import TestSupport
import Testing

/// The files that start a night, each read by those who run it, and the script of the night.
struct NightlyTests {
    private static let folder = "\(checkout)/Fixtures/Nightly"
    private static let isWhole = ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"
    /// What reads each file, and a mistake that it has to find.
    private static let readers: [String: (words: [String], change: (String, String))] = [
        "github-workflow.yml": (
            ["python3", "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"],
            ("runs-on:", "runs-in:")
        ),
        "gitlab-ci.yml": (
            [
                "python3", "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform",
                "gitlab-ci",
            ], ("when: always", "when: sometimes")
        ),
        "Jenkinsfile": (["python3", "\(checkout)/Tests/Support/Workflows/jenkinsfile.py"], ("agent {", "agent { {")),
    ]

    private static func run(
        _ words: [String], in folder: String, environment: [String: String] = [:]
    ) async throws -> ProgramOutput {
        try await ProgramOutput(
            of: ["env", "-C", folder, "PYTHONPATH=\(checkout)/.build/tests-python"] + words,
            environment: RunnerProcess.environment + environment.map { "\($0.key)=\($0.value)" }, withErrors: true)
    }

    private static func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }

    @Test(
        "Each file is valid for those who run it, and a mistake is found",
        .enabled(if: isWhole, "it needs packages of PyPI: run `make check`"), arguments: readers.keys.sorted())
    func valid(_ file: String) async throws {
        let (words, change) = try #require(Self.readers[file])
        let read = try await Self.run(words + ["\(Self.folder)/\(file)"], in: checkout)
        #expect(read.status.isSuccess, "\(read.text)")
        let text = try Self.text(file)
        let broken = text.replacingOccurrences(of: change.0, with: change.1)
        try #require(broken != text)
        let path = NSTemporaryDirectory() + "hil-nightly-\(UUID().uuidString)-\(file)"
        try broken.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try await !Self.run(words + [path], in: checkout).status.isSuccess)
    }

    @Test(
        "The units are valid for systemd, and a mistake is found",
        .enabled(
            if: isWhole || FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"),
            "systemd is not installed"))
    func units() async throws {
        let folder = NSTemporaryDirectory() + "hil-units-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func verify(_ change: (String, String)?) async throws -> ProgramOutput {
            for file in ["hil-nightly.service", "hil-nightly.timer"] {
                var text = try Self.text(file)
                if let change { text = text.replacingOccurrences(of: change.0, with: change.1) }
                try text.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
            }
            return try await Self.run(
                ["systemd-analyze", "verify", "\(folder)/hil-nightly.service", "\(folder)/hil-nightly.timer"],
                in: folder)
        }
        // Units of the machine itself may be told of as well.
        func told(_ output: ProgramOutput) -> [Substring] {
            output.text.split(separator: "\n").filter { $0.contains("hil-nightly") }
        }
        let good = try await verify(nil)
        #expect(told(good) == [], "\(good.text)")
        #expect(try await !told(verify(("OnCalendar=*-*-* 02:00:00", "OnCalendar=at night"))).isEmpty)
        #expect(try await !told(verify(("Type=oneshot", "Type=nightly"))).isEmpty)
    }

    @Test("Every file starts the same, which the Makefiles of checkout and new package have")
    func target() async throws {
        for file in ["github-workflow.yml", "gitlab-ci.yml", "Jenkinsfile", "hil-nightly.service"] {
            #expect(try Self.text(file).contains("make nightly"), "\(file)")
        }
        for makefile in ["Makefile", "Fixtures/NewPackage/Makefile"] {
            let text = try String(contentsOfFile: "\(checkout)/\(makefile)", encoding: .utf8)
            #expect(text.contains("\nnightly: setup"), "\(makefile)")
        }
    }

    /// Runs the script with a command that notes how it is called, and exits as it is told.
    private func night(
        run: Int, compare: Int, explore: Int = 0, _ variables: [String: String] = [:]
    ) async throws -> (status: HILPOSIX.ExitStatus, calls: [String], code: String) {
        let folder = NSTemporaryDirectory() + "hil-night-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let script =
            "#!/bin/sh\necho \"$*\" >>calls\ncase $1 in run) exit \(run) ;; compare) exit \(compare) ;; explore) exit \(explore) ;; esac\n"
        try script.write(toFile: "\(folder)/hil", atomically: true, encoding: .utf8)
        chmod("\(folder)/hil", 0o755)
        let output = try await Self.run(
            ["\(Self.folder)/nightly"], in: folder,
            environment: variables.merging(["HIL": "\(folder)/hil"]) { $1 })
        func lines(_ file: String) -> [String] {
            let text = try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            return text?.split(separator: "\n").map(String.init) ?? []
        }
        return (output.status, lines("calls"), lines("results/exit-code").first ?? "")
    }

    @Test("A night runs everything with retries, and compares with the last good run")
    func script() async throws {
        let compare = "compare --fail-on-regression last-good latest"
        let plain = try await night(run: 0, compare: 0)
        let explore = "explore --tag smoke --resume --budget 20min"
        #expect(plain.calls == ["run --retries 2", compare, explore] && plain.status.isSuccess && plain.code == "0")
        let full = try await night(
            run: 0, compare: 0,
            [
                "RIG": "labgrid:kind=hil", "JOBS": "3", "FIRMWARE": "1.4 rc", "RETRIES": "1",
                "OPTIONS": "--strict --tag smoke", "EXPLORE": "lampIsSetUp", "BUDGET": "5min",
            ])
        #expect(full.calls.last == "explore lampIsSetUp --resume --budget 5min --rig labgrid:kind=hil")
        #expect(try await night(run: 0, compare: 0, ["EXPLORE": "none"]).calls.count == 2)
        #expect(
            full.calls.first
                == "run --retries 1 --rig labgrid:kind=hil --jobs 3 --firmware 1.4 rc --strict --tag smoke")
    }

    @Test(
        "The code of a night is the run's, or the comparison's if the run is well",
        arguments: [(0, 0, 0), (0, 4, 4), (1, 4, 1), (2, 0, 2), (3, 4, 3), (64, 4, 64), (130, 0, 130)])
    func code(run: Int, compare: Int, expected: Int32) async throws {
        let night = try await night(run: run, compare: compare)
        #expect(night.status == .exited(expected) && night.code == "\(expected)")
        #expect(night.calls.count == (run < 64 ? 3 : 1), "a run that did not run is not compared")
    }

    @Test("A finding fails a night that is well otherwise, and a package without a smoke scenario has none")
    func explored() async throws {
        #expect(try await night(run: 0, compare: 0, explore: 1).code == "1")
        #expect(try await night(run: 2, compare: 0, explore: 1).code == "2")
        #expect(try await night(run: 0, compare: 0, explore: 64).code == "0")
    }
}
