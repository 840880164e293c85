import Foundation
import HILExecution
import HILRecord

/// Finds the run that a later one is to be compared with: `last-good`.
struct LastGoodRun {
    /// The name that stands for it on a command line.
    static let name = "last-good"
    /// How many of the newest runs are looked at.
    private static let most = 100

    /// The folder of the runs' folders.
    let results: String

    /// The newest run before this one that ended well, on the same kind of rig, with at least half of its cases; nil if there
    /// is none.
    func find(before later: RunRecord) -> RunRecord? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: results)) ?? []
        // Names begin with the time of the run. `latest` is one of the others.
        let runs = names.filter { $0.first?.isNumber == true }.sorted(by: >).prefix(LastGoodRun.most)
        let cases = Set(later.entries.map(\.info.caseAndRound.identifier))
        return runs.lazy.compactMap { try? RunRecord.read(in: "\(results)/\($0)") }.first { earlier in
            guard earlier.began < later.began, earlier.info?.rig == later.info?.rig, earlier.isGood else {
                return false
            }
            let known = Set(earlier.entries.map(\.info.caseAndRound.identifier))
            return known.intersection(cases).count * 2 >= cases.count
        }
    }
}

extension RunRecord {
    /// Whether nothing interrupted it, something passed, and nothing failed. Flaky is good enough.
    fileprivate var isGood: Bool {
        end != nil && [0, 3].contains(exitCode) && count(.passed) + count(.flaky) > 0
    }
}
