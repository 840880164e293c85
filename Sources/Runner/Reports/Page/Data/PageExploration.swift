import HILPOSIX
import HILRecord

/// The grid of an exploration: moments down, faults across.
struct PageExploration: Encodable {
    struct Moment: Encodable {
        let name, layer: String
        let screen, step: String?
        /// Seconds since the body began.
        let at: Double
    }

    /// A trial.
    struct Cell: Encodable {
        /// The places of moment and fault.
        let moment, fault: Int
        let outcome, words: String
        let detail: String?
        let seconds: Double
        /// The identifier of the finding's case; nil if it is none.
        let finding: String?
    }

    /// Cells that are not tried, and why.
    struct LeftOut: Encodable {
        let reason: String
        /// The places of moment and fault of each.
        let cells: [[Int]]
    }

    /// The most trials that a page shows.
    private static let mostCells = 20_000

    let moments: [Moment]
    let faults: [String]
    let planned: Int
    let cells: [Cell]
    /// Trials with two faults, in words: those that are findings.
    let pairs: [String]
    let leftOut: [LeftOut]
    /// The files of drawings by the kinds of screens, in the page's folder: light, dark.
    let pictures: [String: [String]]

    /// The exploration of a scenario.
    init(_ exploration: ExplorationRecord, of entry: RunRecord.Entry) {
        self.init(exploration, of: entry.info.identifier, in: entry.info.folder, entry.decisive.screens.map(\.value))
    }

    /// The same, with the screens of a journey without a fault.
    init(
        _ exploration: ExplorationRecord, of scenario: String, in folder: String = "",
        _ screens: [AttemptRecord.ShownScreen] = []
    ) {
        let info = exploration.info
        func cut(_ text: String) -> String { PlainText.cut(text, to: 200) }
        moments = info.moments.map { place in
            Moment(
                name: cut("\(place.moment)"), layer: place.moment.layer.rawValue, screen: place.screen,
                step: place.step.map(cut), at: PageNumber.short(place.seconds))
        }
        faults = info.faults.map(cut)
        planned = info.planned
        let rows = Dictionary(info.moments.enumerated().map { ($1.moment, $0) }) { first, _ in first }
        let columns = Dictionary(info.faults.enumerated().map { ($1, $0) }) { first, _ in first }
        var findings: [TrialResult: String] = [:]
        for finding in ExplorationFinding.all(in: exploration.results, of: info) {
            for trial in finding.trials { findings[trial] = "\(scenario)~\(finding.slug)" }
        }
        cells = exploration.results.suffix(PageExploration.mostCells).compactMap { result in
            guard result.second == nil, let row = rows[result.cell.moment], let column = columns[result.cell.fault]
            else { return nil }
            return Cell(
                moment: row, fault: column, outcome: result.outcome.rawValue, words: result.outcome.words,
                detail: result.detail.map(cut), seconds: PageNumber.short(result.seconds), finding: findings[result])
        }
        pairs = exploration.results.filter { $0.second != nil && $0.outcome.isFinding }.prefix(100).map { result in
            cut(ExplorationFinding(shortest: result, trials: [result]).sentence)
        }
        pictures = screens.reduce(into: [:]) { pictures, screen in
            guard let picture = screen.picture else { return }
            pictures[screen.kind] = ["\(folder)/\(picture.light)", "\(folder)/\(picture.dark)"]
        }
        leftOut = info.leftOut.map { left in
            LeftOut(
                reason: cut(left.reason),
                cells: left.cells.compactMap { cell in
                    guard let row = rows[cell.moment], let column = columns[cell.fault] else { return nil }
                    return [row, column]
                })
        }
    }
}
