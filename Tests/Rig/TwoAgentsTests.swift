import Foundation
import HILExecution
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Scenarios on a rig that has only two agents: no air, no power, no snapshot.
    @Suite(.serialized)
    struct TwoAgentsTests {
        @Test("Scenarios that need only two agents pass; others are skipped with the reason, before or at the call")
        func some() async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let scenarios = [
                "newDieIsOnboarded", "rigWiFiDaemonsEnd", "dieIsFoundByWiFiAware", "airLosesLinkOfConnectedDie",
                "rigPowerIsCut", "undeclaredPowerCut",
            ]
            let options = ["--jobs", "1", "--format", "json", "--out", results]
            let (status, record) = try await RunnerProcess(
                TestProgram.trials, ["two-agents", "run"] + options + scenarios
            ).end()
            #expect(status == .exited(0))
            let skipped = [
                "dieIsFoundByWiFiAware", "airLosesLinkOfConnectedDie", "rigPowerIsCut", "undeclaredPowerCut",
            ]
            for entry in record.entries {
                let judgement = try #require(entry.result?.judgement, "\(entry.info.identifier)")
                let name = String(entry.info.identifier.prefix { $0.isLetter })
                guard skipped.contains(name) else {
                    #expect(judgement.verdict == .passed, "\(entry.info.identifier): \(judgement)")
                    continue
                }
                #expect(judgement.verdict == .skipped, "\(entry.info.identifier): \(judgement)")
                #expect(judgement.reason?.hasPrefix("the two-agents rig lacks ") == true, "\(judgement)")
                let isDeclared = judgement.reason?.contains("found out at a call") == false
                #expect(isDeclared == (name != "undeclaredPowerCut"), "\(judgement)")
            }
            #expect(record.count(.passed) >= 2 && record.count(.skipped) >= 4)
            // Skipped at the call: the evidence is like that of any run.
            let story = try String(contentsOfFile: "\(results)/latest/undeclaredPowerCut/story.txt", encoding: .utf8)
            #expect(story.contains("the two-agents rig lacks a switch for the boards' power (it has no switch)"))
            let report = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
            #expect(report.contains("<skipped message=\"the two-agents rig lacks a switch for the boards' power"))
        }
    }
}
