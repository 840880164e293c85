import Foundation
import HILExecution
import HILExploration
import HILPOSIX
import HILRecord

/// A finding of an exploration, as the source of a scenario that fails until it is mended.
struct KeptFinding {
    let source: KeptSource

    init(_ explored: ExploredScenario, _ finding: ExplorationFinding) {
        let planned = explored.planned
        let cells = [finding.shortest.cell, finding.shortest.second].compactMap { $0 }
        let name =
            planned.named.name
            + cells.map { KeptSource.words($0.fault) + "At" + KeptSource.words("\($0.moment)") }.joined(
                separator: "And")
        let faults = cells.map { ".init(\(KeptSource.literal($0.fault)), at: \(KeptSource.literal("\($0.moment)")))" }
        let label = planned.oneCase.label
        let place = label.isEmpty ? "" : ", where: \(KeptSource.literal(label))"
        let usual = explored.journey.map { journey in
            TrialFact.allCases.compactMap { fact in
                journey.state[fact].map { "\(fact.rawValue)=\($0.lowerBound)" }
            }.joined(separator: " ")
        }
        let left = explored.journey.map { journey in
            TrialFact.allCases.compactMap { fact in
                journey.leftovers[fact].map { "\(fact.rawValue)=\($0.upperBound)" }
            }.joined(separator: " ")
        }
        let text = """
            import HIL

            // Found by `hil explore \(planned.caseIdentifier)`. It fails until this is mended:
            // \(PlainText.line(finding.sentence))
            let \(name) = Scenario(
                \(KeptSource.literal("\(planned.title): \(cells.map(\.description).joined(separator: ", "))")),
                exploring: \(planned.named.name)\(place), faults: [\(faults.joined(separator: ", "))],
                usual: \(KeptSource.literal(usual ?? "")),
                left: \(KeptSource.literal(left ?? "")))

            """
        source = KeptSource(name: name, text: text)
    }
}
