import Foundation
import HILPOSIX
import HILRecord

/// The content of `audit.json`: what was attacked, each control with its verdict and what it rests on, and each clause with
/// its controls.
///
/// Pure: a report goes in, a document comes out. Times are in UTC as `2026-12-31T08:15:00Z`, durations in seconds.
package struct AuditJSON: Encodable, Sendable {
    /// The format of this version, see the article “Attacking an accessory”.
    package static let format = 1
    /// In the run's folder.
    package static let name = "audit.json"

    struct Check: Encodable {
        let control, family, sentence, verdict: String
        let clauses: [String]
        let reason, instead: String?
        /// The case, and its folder in the run's folder.
        let scenario, evidence: String?
        let seed: UInt64?
        let seconds: Double?
        let replay: String?
        let story: [Note]
        let matrix: AuditMatrix?
    }

    /// What was tried, or what came.
    struct Note: Encodable {
        /// Seconds since the case's body began.
        let at: Double
        let text: String
        /// Numbers of packets in the case's `capture.pcapng`.
        let frames: [Int]
        /// How many packets there are, if they are more.
        let frameCount: Int
    }

    struct Target: Encodable {
        let scenario, title: String
        let digests: [String: String]
        let counts: [String: Int]
        let checks: [Check]
    }

    struct Catalogue: Encodable {
        struct Clause: Encodable {
            let number, title: String
            let controls: [String]
        }

        let name, source: String
        let clauses: [Clause]
    }

    let format = AuditJSON.format
    let scope = AuditReport.scope
    let hil: String
    let commit: String?
    let run, machine, rig: String
    let accessoryBoard, firmware: String?
    let began: String
    let seconds: Double?
    /// Whether the run has ended, and nothing interrupted it.
    let isComplete: Bool
    /// By board, then by name.
    let versions: [String: [String: String]]
    let targets: [Target]
    let catalogues: [Catalogue]

    /// - Returns: Nil if the run is no audit.
    package init?(_ record: RunRecord) {
        guard let report = AuditReport(record) else { return nil }
        let info = record.info
        hil = info?.version ?? ""
        commit = info?.commit
        run = info?.folder.split(separator: "/").last.map(String.init) ?? ""
        machine = info?.machine ?? ""
        rig = info?.rig ?? ""
        accessoryBoard = info?.accessory
        firmware = record.firmware
        began = UTC.text(record.began)
        seconds = record.end?.seconds
        isComplete = record.end != nil && record.owed.isEmpty && record.leftWords == nil
        versions = record.versions
        targets = report.targets.map(Target.init)
        catalogues = report.info.catalogues.map { catalogue in
            Catalogue(
                name: catalogue.name, source: catalogue.source,
                clauses: catalogue.clauses.map { clause in
                    Catalogue.Clause(
                        number: clause.number, title: clause.title,
                        controls: report.info.controls(for: clause.number, of: catalogue.name).map(\.name))
                })
        }
    }

    /// Writes `audit.json` into the run's folder, whole or not at all; nothing if the run is no audit.
    package static func write(_ record: RunRecord, in folder: String) throws(SystemError) {
        guard let document = AuditJSON(record)?.document else { return }
        try replaceFile("\(folder)/\(name)", with: document)
    }

    /// The document, with a newline at its end.
    package var document: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite cannot be encoded.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "∞", negativeInfinity: "-∞", nan: "unknown")
        return ((try? encoder.encode(self)).map(Array.init) ?? Array("null".utf8)) + [UInt8(ascii: "\n")]
    }
}

extension AuditJSON.Target {
    fileprivate init(_ target: AuditReport.Target) {
        (scenario, title, digests) = (target.info.scenario, target.info.title, target.info.digests)
        counts = Dictionary(uniqueKeysWithValues: target.counts.map { ($0.outcome.rawValue, $0.count) })
        checks = target.checks.map(AuditJSON.Check.init)
    }
}

extension AuditJSON.Check {
    fileprivate init(_ check: AuditReport.Check) {
        let control = check.control
        (self.control, family, sentence) = (control.name, control.family, control.sentence)
        (verdict, reason, instead) = (check.outcome.rawValue, check.reason, check.instead)
        clauses = control.clauses.map(\.text)
        (scenario, evidence, replay, seconds) = (check.identifier, check.folder, check.replay, check.seconds)
        seed = check.attempt?.seed
        story = (check.attempt?.notes ?? []).map { AuditJSON.Note($0, since: check.zero) }
        matrix = check.attempt?.matrix
    }
}

extension AuditJSON.Note {
    fileprivate init(_ note: AuditAttempt.Note, since zero: UInt64) {
        at = note.seconds(since: zero)
        text = note.text
        (frames, frameCount) = (note.frames?.numbers ?? [], note.frames?.count ?? 0)
    }
}
