import Foundation
import HIL
import HILExecution
import HILRecord
import StubRig
import TestSupport
import Testing

@testable import HILReports

private let packages =
    "\(checkout)/.build/tests-python"
private let parserIsHere =
    ProcessInfo.processInfo.environment["HIL_TESTS"] == "all"
    || FileManager.default.fileExists(atPath: "\(packages)/junitparser")

/// Our JUnit files, read by `junitparser`, as teams' own scripts read them.
@Suite(.enabled(if: parserIsHere, "junitparser of PyPI is not here: run `make check`"))
struct JUnitParserTests {
    /// What `Tests/Support/JUnitReader/read_junit.py` prints.
    private struct Read: Decodable {
        struct Case: Decodable {
            let name: String
            let results, messages: [String]
            let reruns, flaky: Int
            let output: String
        }
        let said, counted: [String: Int]
        let cases: [Case]
    }

    private func read(_ document: String) async throws -> Read {
        let file = NSTemporaryDirectory() + "hil-junit-\(UUID().uuidString).xml"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try document.write(toFile: file, atomically: true, encoding: .utf8)
        let output = try await ProgramOutput(
            of: ["env", "PYTHONPATH=\(packages)", "python3", "Tests/Support/JUnitReader/read_junit.py", file],
            withErrors: true)
        try #require(output.status.isSuccess, "\(output.text)")
        return try JSONDecoder().decode(Read.self, from: Data(output.bytes))
    }

    @Test("A recorded run is read with its counts, failures and attachments", arguments: ["format-1", "format-2"])
    func recorded(name: String) async throws {
        let read = try await read(String(contentsOfFile: "Fixtures/Runs/\(name)/junit.xml", encoding: .utf8))
        #expect(read.said == read.counted, "what the file says is what it has")
        #expect(read.said["tests"] == read.cases.count)
        #expect(Set(read.cases.map(\.name)).count == read.cases.count)
        #expect(read.cases.contains { $0.output.contains("[[ATTACHMENT|") })
    }

    @Test("Hostile text, a flaky scenario and several attempts are read as they are meant")
    func attempts() async throws {
        var record = SampleRun.record()
        let wrong = Failure(.product, SampleRun.nasty)
        func attempt(_ failures: [Failure]) -> AttemptResult { AttemptResult(Judgement(failures), seconds: 1) }
        record.take(
            RunLine(
                time: 3, scenario: "passes",
                runner: .scenarioEnded(ScenarioResult(attempts: [attempt([wrong]), attempt([])]))))
        record.take(
            RunLine(
                time: 3, scenario: "fails",
                runner: .scenarioEnded(ScenarioResult(attempts: [attempt([wrong]), attempt([wrong])]))))
        let read = try await read(JUnit(record, root: nil) { _ in ["a/story.txt"] }.document)
        let flaky = try #require(read.cases.first { $0.name.hasSuffix("Family.passes.It passes \"well\"") })
        #expect(flaky.results.allSatisfy { $0 == "FlakyFailure" } && flaky.flaky == 1)
        let failed = try #require(read.cases.first { $0.name.hasSuffix("Family.fails.It fails \"well\"") })
        #expect(failed.results.contains("Failure") && failed.reruns == 1)
        #expect(failed.messages.first?.contains("& <b> ]]>") == true, "\(failed.messages)")
        #expect(failed.output.hasSuffix("[[ATTACHMENT|a/story.txt]]"))
    }
}
