import HILRecord
import HILReports

/// The moments of explored journeys, and what would be tried, for `hil explore --moments`.
enum MomentsText {
    static func lines(_ record: RunRecord) -> [String] {
        record.entries.flatMap { entry in entry.exploration.map { lines($0, of: entry.info.identifier) } ?? [] }
    }

    private static func lines(_ exploration: ExplorationRecord, of scenario: String) -> [String] {
        let info = exploration.info
        let left = info.leftOut.flatMap(\.cells)
        var lines = ["\(scenario): \(ExplorationGrid(exploration).head)"]
        let width = info.moments.map { "\($0.moment)".count }.max() ?? 0
        for place in info.moments {
            let nonsense = Set(left.filter { $0.moment == place.moment }.map(\.fault))
            let faults = info.faults.filter { !nonsense.contains($0) }
            let name = "\(place.moment)".padding(to: width)
            let screen = place.screen.map { "  [\($0)]" } ?? ""
            lines.append("  \(name)  \(faults.isEmpty ? "-" : faults.joined(separator: " "))\(screen)")
        }
        if !info.unstable.isEmpty {
            lines.append("not in each run: " + info.unstable.map(\.description).joined(separator: ", "))
        }
        if !info.leftOut.isEmpty { lines.append("left out:") }
        for reason in info.leftOut {
            let faults = Set(reason.cells.map(\.fault)).sorted().joined(separator: ", ")
            lines.append("  \(reason.cells.count) × \(faults): \(reason.reason)")
        }
        return lines
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
