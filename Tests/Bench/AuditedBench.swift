import Foundation
import HILExecution
import HILRecord
import RadioModel
import StockBench
import StubRig
import Testing

/// Audits of weak accessories and their hardened twins on a bench, and whom the strangers there reach.
struct AuditedBench {
    struct Twins {
        let scenario, control, told: String
        /// Whether strangers have links in this check.
        var connects = true
    }

    static let twins = [
        Twins(
            scenario: "openBrightness", control: "access.matrix",
            told: "a stranger without a key can read FF01, write FF01"),
        Twins(scenario: "silentPairing", control: "pairing.capabilities", told: "it says NoInputNoOutput"),
        Twins(
            scenario: "followedLamp", control: "air.privateAddress",
            told: "its address 02:00:00:00:02:B0 is public", connects: false),
        Twins(
            scenario: "numberedLamp", control: "air.name", told: "its name “Lamp 4F2A19” tells a single device",
            connects: false),
        Twins(
            scenario: "needlessKeys", control: "pairing.withoutPerson",
            told: "a stranger who says that it has no screen pairs"),
    ]

    let bench: StockBench
    let results: String

    /// The weakness is found, the twin is not breached, and nothing is sent to anybody else.
    func audit(_ twins: Twins) async throws {
        let run = try RunnerProcess(
            "hil-trials",
            [
                "weak-accessories", "audit", twins.scenario, "--only", twins.control, "--rig",
                "\(StockBench.host),\(StockBench.accessory)", "--format", "json", "--out", results,
            ], environment: bench.environment)
        let (status, record) = await run.end()
        #expect(status == .exited(1), "\(twins.scenario)")
        let folder = try #require(record.info?.folder)
        for build in ["weak", "hardened"] {
            let check = "\(twins.scenario)~\(twins.control)[accessory=\(build)]"
            let entry = try #require(record[check], "\(record.entries.map(\.info.identifier))")
            let judgement = try #require(entry.result?.judgement)
            #expect(judgement.verdict == (build == "weak" ? .failed : .passed), "\(check): \(judgement)")
            if build == "weak" {
                #expect(judgement.cause?.message.contains("breached: \(twins.told)") == true, "\(judgement)")
            }
            let capture = try #require(
                FileManager.default.contents(atPath: "\(folder)/\(entry.info.folder)/capture.pcapng"))
            let reach = AttackReach(
                [UInt8](capture), of: run.lines.events.filter { $0.scenario == check }, stations: [])
            #expect(reach.strays.prefix(10) == [], "\(check): \(reach.strays.count) strays")
            #expect(reach.turns > 0, "\(check): no stranger came")
            if twins.connects { #expect(reach.links > 0 && reach.packets > 0, "\(check)") }
        }
    }

    /// What a bench cannot show is out of reach, with what to do instead, and neither holds nor is an error.
    func outOfReach() async throws {
        let run = try RunnerProcess(
            "hil-trials",
            [
                "weak-accessories", "audit", "openBrightness[accessory=weak]", "--only",
                "robustness.advertisements,wifi.open", "--rig", "\(StockBench.host),\(StockBench.accessory)",
                "--format",
                "json", "--out", results,
            ], environment: bench.environment)
        let (status, record) = await run.end()
        #expect(status == .exited(0))
        let report = try #require(AuditReport(record))
        let checks = report.checks.filter(\.control.isChosen)
        #expect(checks.map(\.outcome) == [.outOfReach, .outOfReach], "\(checks)")
        #expect(checks.allSatisfy { $0.instead?.hasPrefix("audit ") == true }, "\(checks)")
    }

    /// A device on the desk is attacked by its name, without a scenario, and only with consent.
    func auditDevice(_ name: String) async throws {
        let words = ["audit", "--rig", "\(StockBench.host),none", "--out", results, "--only", "access.hidden"]
        let refused = try await bench.hil(words + ["--device", name])
        #expect(refused.code == 64 && refused.output.contains("with --yes it attacks"), "\(refused.output)")
        let unheard = try await bench.hil(words + ["--device", "\(name) 2", "--yes"])
        #expect(unheard.code == 2 && unheard.output.contains("is not heard"), "\(unheard.output)")
        let run = try RunnerProcess(
            "hil", words + ["--device", name, "--yes", "--format", "json"], environment: bench.environment)
        let (status, record) = await run.end()
        #expect(status == .exited(0))
        let report = try #require(AuditReport(record))
        let chosen = report.checks.first { $0.control.isChosen }
        let check = try #require(chosen)
        #expect(check.outcome == .holds, "\(check)")
        #expect(check.replay?.contains("--only access.hidden --rig \(StockBench.host),none --device 02:") == true)
        let folder = try #require(record.info?.folder)
        let evidence = try #require(check.folder)
        let capture = try #require(FileManager.default.contents(atPath: "\(folder)/\(evidence)/capture.pcapng"))
        let device = try #require(check.device)
        let reach = AttackReach([UInt8](capture), of: run.lines.events, stations: [], also: [device])
        #expect(reach.strays.prefix(10) == [], "\(reach.strays.count) strays")
        #expect(reach.links > 0 && reach.packets > 0)
    }
}

extension AuditReport.Check {
    /// The address in the command that makes it again.
    fileprivate var device: DeviceAddress? { replay?.split(separator: " ").last.flatMap { DeviceAddress(String($0)) } }
}
