import Foundation
import HILRecord
import Testing

@testable import HILExploration

struct ExplorationFindingTests {
    private func result(
        _ fault: FaultKind, _ what: String, _ outcome: TrialOutcome, awaited: String? = nil, seconds: Double = 1
    ) -> TrialResult {
        TrialResult(
            .init(fault.rawValue, at: Moment(what)), outcome, detail: "the app waits for ever", awaited: awaited,
            step: "set up", screen: "passkey", seconds: seconds)
    }

    @Test("Findings of one cause are one, and the shortest trial stands for it")
    func grouped() throws {
        let findings = ExplorationFinding.all(in: [
            result(.linkLost, "write(FF03)", .silent, seconds: 9), result(.outOfRange, "write(FF03)#2", .silent),
            result(.personCancels, "screen(passkey)", .silent), result(.linkLost, "write(FF03)", .stuck),
            result(.linkLost, "write(FF04)", .silent, awaited: "the lamp 7 to be bonded"),
            result(.linkLost, "write(FF05)", .silent, awaited: "the lamp 8 to be bonded"),
            result(.linkLost, "write(FF06)", .unharmed),
        ])
        #expect(findings.map(\.trials.count) == [2, 1, 1, 2])
        let first = try #require(findings.first)
        #expect(first.shortest.cell == .init("outOfRange", at: Moment("write(FF03)#2")))
        #expect(
            first.sentence == """
                When the link ends (link lost, out of range) at write(FF03)#2, the app waits for ever (2 trials).
                """)
        #expect(first.key == "silent/link/set up/passkey")
    }

    @Test("What fails in the same way is one finding for faults of one effect, and several for those of other effects")
    func causes() {
        func alike(_ faults: [FaultKind]) -> [[String]] {
            ExplorationFinding.all(in: faults.map { result($0, "write(FF03)", .silent) })
                .map { $0.trials.map(\.cell.fault).sorted() }
        }
        #expect(alike([.linkLost, .bluetoothOff, .bluetoothdKilled, .packetHeld]).map(\.count) == [3, 1])
        #expect(alike([.networkGone, .linkLost]) == [["networkGone"], ["linkLost"]])
        // A chain of common effects: the power takes both links with it.
        #expect(alike([.networkGone, .linkLost, .powerCut]).map(\.count) == [3])
        #expect(alike([.appSuspended, .personWaits]).count == 2)
        let restart = ExplorationFinding.all(in: [result(.powerCut, "a", .stuck), result(.programKilled, "a", .stuck)])
        #expect(
            restart.map(\.sentence) == [
                "When the accessory starts again (program killed, power cut) at a, the app waits for ever (2 trials)."
            ])
    }

    @Test("A sentence has one full stop, also about an error that has one")
    func fullStop() {
        let stuck = TrialResult(
            .init("linkLost", at: Moment("write(FF03)")), .stuck, detail: "the next attempt fails: Unknown error.",
            seconds: 1)
        let finding = ExplorationFinding(shortest: stuck, trials: [stuck])
        #expect(finding.sentence == "When the link is lost at write(FF03), the next attempt fails: Unknown error.")
    }

    @Test("In a journey without Wi-Fi no Wi-Fi link ends")
    func bluetoothOnly() {
        let results = [result(.outOfRange, "write(FF03)", .silent), result(.powerCut, "write(FF03)", .silent)]
        let finding = ExplorationFinding.all(in: results, hasWiFi: false).first
        #expect(finding?.sentence.hasPrefix("When the link ends (out of range, power cut) at") == true)
        #expect(finding?.key == "silent/link/set up/passkey")
        let alone = ExplorationFinding.all(in: [results[0]], hasWiFi: false).first
        #expect(alone?.key == finding?.key, "whatever other faults were tried")
        #expect(ExplorationFinding.all(in: results).first?.key == "silent/network/set up/passkey")
    }

    @Test("An app that ignores what it is told does so in any step, and a journey that is stuck fails in any way once")
    func symptoms() {
        func silent(_ step: String, told: String?) -> TrialResult {
            TrialResult(
                .init("linkLost", at: Moment("write(FF03)")), .silent, detail: "the app waits for ever in “\(step)”",
                step: step, told: told, seconds: 1)
        }
        let ignores = ExplorationFinding.all(in: [
            silent("dim", told: "didDisconnectPeripheral"), silent("connect", told: "didDisconnectPeripheral"),
            silent("connect", told: "didFailToConnect"), silent("press 1", told: nil), silent("press 2", told: nil),
            silent("connect", told: nil),
        ])
        #expect(ignores.map(\.trials.count) == [2, 1, 2, 1])
        #expect(ignores[0].sentence.contains("the app waits for ever in “dim” or “connect” (2 trials)"))
        #expect(Set(ignores.map(\.slug)).count == 4, "\(ignores.map(\.slug))")
        func broken(_ seen: String) -> TrialResult {
            TrialResult(
                .init("linkLost", at: Moment(seen)), .brokenPromise, detail: "it does not hold\(TrialNote.seen)\(seen)",
                step: seen, seconds: 1)
        }
        #expect(ExplorationFinding.all(in: [broken("a"), broken("b")]).count == 1)
    }

    @Test(
        "A later exploration of the same content knows the results, one of other content does not, and a cut line is lost alone"
    )
    func store() throws {
        let path = NSTemporaryDirectory() + "hil-explored-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let first = try ExplorationStore(path, key: "one")
        first.add(result(.linkLost, "write(FF03)", .silent))
        first.add(result(.linkLost, "write(FF04)", .unharmed))
        #expect(try ExplorationStore(path, key: "one").results == first.results)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.truncate(atOffset: size - 5)
        try handle.close()
        let cut = try ExplorationStore(path, key: "one")
        #expect(cut.results == Array(first.results.prefix(1)))
        cut.add(result(.linkLost, "write(FF05)", .unharmed))
        #expect(try ExplorationStore(path, key: "one").results.count == 2)
        #expect(try ExplorationStore(path, key: "two").results.isEmpty)
        #expect(try ExplorationStore(path, key: "one").results.isEmpty)
    }
}
