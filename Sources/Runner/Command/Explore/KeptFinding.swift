import Foundation
import HILExecution
import HILExploration
import HILPOSIX
import HILRecord

/// A finding of an exploration, as the source of a scenario that fails until it is mended.
struct KeptFinding {
    /// The name of the constant: `latchIsOnboardedLinkLostAtWriteFF03`.
    let name: String
    let source: String

    init(_ explored: ExploredScenario, _ finding: ExplorationFinding) {
        let planned = explored.planned
        let cells = [finding.shortest.cell, finding.shortest.second].compactMap { $0 }
        name =
            planned.named.name
            + cells.map { KeptFinding.words($0.fault) + "At" + KeptFinding.words("\($0.moment)") }.joined(
                separator: "And")
        let faults = cells.map { ".init(\(KeptFinding.literal($0.fault)), at: \(KeptFinding.literal("\($0.moment)")))" }
        let label = planned.oneCase.label
        let place = label.isEmpty ? "" : ", where: \(KeptFinding.literal(label))"
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
        source = """
            import HIL

            // Found by `hil explore \(planned.caseIdentifier)`. It fails until this is mended:
            // \(PlainText.line(finding.sentence))
            let \(name) = Scenario(
                \(KeptFinding.literal("\(planned.title): \(cells.map(\.description).joined(separator: ", "))")),
                exploring: \(planned.named.name)\(place), faults: [\(faults.joined(separator: ", "))],
                usual: \(KeptFinding.literal(usual ?? "")),
                left: \(KeptFinding.literal(left ?? "")))

            """
    }

    /// Writes the file, in place of one of the same name.
    ///
    /// - Returns: Its path.
    func write(to folder: String) throws(SystemError) -> String {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name.prefix(1).uppercased() + name.dropFirst()).swift"
        try replaceFile(path, with: source.utf8)
        return path
    }

    /// The letters and digits of a text, each word with a capital letter.
    private static func words(_ text: String) -> String {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A text as a literal of Swift.
    private static func literal(_ text: String) -> String {
        let escaped = text.flatMap { character -> String in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            default: character.isNewline ? " " : String(character)
            }
        }
        return "\"\(String(escaped))\""
    }
}
