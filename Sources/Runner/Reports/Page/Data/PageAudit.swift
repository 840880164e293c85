import HILPOSIX
import HILRecord

/// An audit, for its section of the page.
struct PageAudit: Encodable {
    struct Note: Encodable {
        /// Seconds since the case's body began.
        let at: Double
        let text: String
        /// Packets in the capture, in words; nil if none is known.
        let frames: String?
    }

    struct Check: Encodable {
        let control, family, sentence, verdict, words: String
        let clauses: [String]
        let reason, instead: String?
        /// The case that checked it; nil if none did.
        let id, replay: String?
        /// As text, because JavaScript's numbers are not exact enough.
        let seed: String?
        let notes: [Note]
        /// How many notes came before those.
        let earlier: Int
        let isChosen: Bool
    }

    struct Matrix: Encodable {
        struct Level: Encodable {
            let name: String
            let isTried: Bool
            /// Why nobody tried; nil if somebody did, or if it is not known.
            let notTried: String?
        }

        struct Row: Encodable {
            let service, characteristic: String
            let name: String?
            /// For each level, for each operation, how it looks: see ``PageAudit/look(of:)``.
            let cells: [[String]]
        }

        let levels: [Level]
        let operations: [String]
        let rows: [Row]
    }

    struct Target: Encodable {
        let scenario, title: String
        /// What attacks have shown, and what none has.
        let result, rest: String
        /// Name and sum.
        let digests: [[String]]
        let checks: [Check]
        let matrix: Matrix?
    }

    struct Clause: Encodable {
        let number, title: String
        let controls: [String]
    }

    struct Catalogue: Encodable {
        let name, source: String
        let clauses: [Clause]
    }

    /// The most notes of a check that a page shows: the last ones, which led to what came.
    private static let mostNotes = 6

    let scope: String
    let targets: [Target]
    let catalogues: [Catalogue]

    /// - Parameter textLimit: The most characters of a text.
    init(_ report: AuditReport, textLimit: Int) {
        func cut(_ text: String) -> String { PlainText.cut(text, to: textLimit) }
        scope = AuditReport.scope
        targets = report.targets.map { target in
            Target(
                scenario: PlainText.cut(target.info.scenario, to: 300), title: cut(target.info.title),
                result: target.result, rest: target.rest,
                digests: target.info.digests.sorted { $0.key < $1.key }.map { [$0, $1] },
                checks: target.checks.map { Check($0, cut) },
                matrix: target.checks.compactMap(\.attempt?.matrix).first.map { Matrix($0, cut) })
        }
        catalogues = report.info.catalogues.map { catalogue in
            Catalogue(
                name: catalogue.name, source: catalogue.source,
                clauses: catalogue.clauses.map { clause in
                    Clause(
                        number: clause.number, title: clause.title,
                        controls: report.info.controls(for: clause.number, of: catalogue.name).map(\.name))
                })
        }
    }

    /// How a cell of the matrix looks: what was seen, and whether that is meant.
    static func look(of cell: AuditMatrix.Cell?) -> String {
        guard let cell else { return "notTried" }
        return switch cell.seen {
        case .notOffered: "notOffered"
        case .yes where cell.isBreach: "open"
        case .yes: "allowed"
        case .no where cell.isLess: "closed"
        case .no: "refused"
        }
    }
}

extension PageAudit.Check {
    fileprivate init(_ check: AuditReport.Check, _ cut: (String) -> String) {
        (control, family, sentence) = (check.control.name, check.control.family, check.control.sentence)
        (verdict, words) = (check.outcome.rawValue, check.outcome.words)
        clauses = check.control.clauses.map(\.text)
        (reason, instead) = (check.reason.map(cut), check.instead.map(cut))
        (id, replay) = (check.identifier, check.replay.map { PlainText.cut($0, to: 1000) })
        seed = check.attempt?.seed.map { "\($0)" }
        let all = check.attempt?.notes ?? []
        earlier = max(0, all.count - PageAudit.mostNotes)
        notes = all.suffix(PageAudit.mostNotes).map { note in
            PageAudit.Note(
                at: PageNumber.short(note.seconds(since: check.zero)), text: cut(note.text),
                frames: note.frames?.words)
        }
        isChosen = check.control.isChosen
    }
}

extension PageAudit.Matrix {
    fileprivate init(_ matrix: AuditMatrix, _ cut: (String) -> String) {
        levels = AuditMatrix.Level.allCases.map { level in
            Level(
                name: level.words, isTried: matrix.rows.contains { $0.cells[level] != nil },
                notTried: matrix.notTried[level].map(cut))
        }
        operations = AuditMatrix.Operation.allCases.map(\.rawValue)
        rows = matrix.rows.map { row in
            Row(
                service: row.service, characteristic: row.characteristic, name: row.name.map(cut),
                cells: AuditMatrix.Level.allCases.map { level in
                    AuditMatrix.Operation.allCases.map { PageAudit.look(of: row.cells[level]?[$0]) }
                })
        }
    }
}
