import Foundation
import StubRig
import TestSupport
import Testing

/// The workflow files of a new package, read by parsers and by the schemas of those who run them.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all", "it needs packages of PyPI: run `make check`"))
struct WorkflowTests {
    /// What reads each file.
    private static let readers: [String: [String]] = [
        ".github/workflows/hil.yml": ["-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"],
        ".gitlab-ci.yml": [
            "-m", "check_jsonschema", "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci",
        ],
        "Jenkinsfile": ["\(checkout)/Tests/Support/Workflows/jenkinsfile.py"],
    ]

    /// A new package of `hil init`.
    private struct Package: ~Copyable {
        private let place = NSTemporaryDirectory() + "hil-workflows-\(UUID().uuidString)"
        var folder: String { "\(place)/lamp" }

        init() async throws {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            let made = try await WorkflowTests.run([RunnerProcess.path(of: "hil"), "init", "lamp"], in: place)
            try #require(made.status.isSuccess, "\(made.text)")
        }

        deinit { try? FileManager.default.removeItem(atPath: place) }
    }

    private static func run(_ words: [String], in folder: String) async throws -> ProgramOutput {
        try await ProgramOutput(
            of: ["env", "-C", folder, "PYTHONPATH=\(checkout)/.build/tests-python"] + words,
            environment: RunnerProcess.environment, withErrors: true)
    }

    private static func read(_ file: String, in folder: String) async throws -> ProgramOutput {
        try await run(["python3"] + (readers[file] ?? []) + [file], in: folder)
    }

    @Test("Each workflow file is valid for those who run it", arguments: readers.keys.sorted())
    func valid(_ file: String) async throws {
        let package = try await Package()
        let read = try await Self.read(file, in: package.folder)
        #expect(read.status.isSuccess, "\(read.text)")
    }

    @Test("The readers find a mistake", arguments: readers.keys.sorted())
    func mistake(_ file: String) async throws {
        let package = try await Package()
        let path = "\(package.folder)/\(file)"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let changes = ["runs-on:": "runs-in:", "when: always": "when: sometimes", "agent any": "agent any {"]
        let broken = changes.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
        try #require(broken != text)
        try broken.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await !Self.read(file, in: package.folder).status.isSuccess)
    }

    @Test("Whatever a workflow calls, the Makefile has")
    func targets() async throws {
        let package = try await Package()
        for file in Self.readers.keys.sorted() {
            let text = try String(contentsOfFile: "\(package.folder)/\(file)", encoding: .utf8)
            let targets = Set(text.matches(of: /(?:run: |- |sh ')make ([a-z-]+)/).map { String($0.1) })
            #expect(targets.isSuperset(of: ["test", "hil"]), "\(file) calls \(targets)")
            #expect(targets.isSubset(of: ["build", "native", "test", "hil"]), "\(file) calls \(targets)")
            #expect(text.contains("results/exit-code"), "\(file) cannot tell a failure from an error")
        }
        for target in ["build", "native", "test", "hil", "nightly", "setup", "clean"] {
            let dry = try await Self.run(["make", "--dry-run", target], in: package.folder)
            #expect(dry.status.isSuccess, "\(dry.text)")
        }
    }

    @Test("The results that a workflow keeps are where hil leaves them")
    func results() async throws {
        let package = try await Package()
        for file in Self.readers.keys.sorted() {
            let text = try String(contentsOfFile: "\(package.folder)/\(file)", encoding: .utf8)
            #expect(text.contains("results/"), "\(file) keeps no results")
            // `latest` is a link to one of the others: every test would be counted twice.
            #expect(!text.contains("results/*/"), "\(file) takes the latest run for two")
        }
        let ignored = try String(contentsOfFile: "\(package.folder)/.gitignore", encoding: .utf8)
        #expect(ignored.split(separator: "\n").contains("results/"))
    }
}
