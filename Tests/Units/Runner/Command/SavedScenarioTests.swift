import Foundation
import Testing

@testable import HILCommand

/// Finding the scenario whose boards are to be opened.
struct SavedScenarioTests {
    /// Calls `body` with a folder of results: one run, in it a scenario with boards, and one that passed.
    private func withResults(_ body: (_ root: String, _ results: String) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "hil-kept-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let run = "\(root)/results/20260114-093015-k3v9"
        for folder in ["fails/rig.snapshot", "fails/attempt-2/rig.snapshot", "passes"] {
            try FileManager.default.createDirectory(atPath: "\(run)/\(folder)", withIntermediateDirectories: true)
        }
        let verdict = #"{"result":{"judgement":{"verdict":"passed","failures":[]},"missing":[]}}"#
        try verdict.write(toFile: "\(run)/passes/verdict.json", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/results/latest", withDestinationPath: "20260114-093015-k3v9")
        try body(root, "\(root)/results")
    }

    @Test(
        "A scenario is found by run and name, in the latest run, by its path, and by that of its boards",
        arguments: [
            "20260114-093015-k3v9/fails", "latest/fails", "fails", "results/latest/fails/", "fails/rig.snapshot",
            "fails/attempt-2", "latest/fail", "AIL", "latest/*ils", "latest/fai/attempt-2",
        ])
    func found(name: String) throws {
        try withResults { root, results in
            let scenario = try SavedScenario.find(name, results: results, root: root)
            #expect(FileManager.default.fileExists(atPath: scenario.boards))
            #expect(scenario.folder.hasSuffix("attempt-2") == name.hasSuffix("attempt-2"))
        }
    }

    @Test("A scenario that does not exist or has no saved boards is refused, with the reason and with suggestions")
    func refused() throws {
        try withResults { root, results in
            func words(_ name: String) -> String {
                do { return try SavedScenario.find(name, results: results, root: root).folder } catch {
                    return "\(error)"
                }
            }
            let others = "; there is 20260114-093015-k3v9/fails"
            #expect(words("latest/nothing") == "there is no scenario “latest/nothing” in \(results)\(others)")
            #expect(words("latest/pass").hasPrefix("latest/passes kept no boards: it passed"), "a part will do")
            #expect(words("passes") == "passes kept no boards: it passed\(others)")
        }
    }
}
