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
                When phone and accessory are out of range for 5 s at write(FF03)#2, the app waits for ever (2 trials).
                """)
        #expect(first.key == "silent/link/set up/passkey")
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
