import HILRecord

/// The run of an audit with one check of each verdict, for tests of the reports.
package enum SampleAudit {
    package static let start: UInt64 = 1_768_383_015_000_000_000
    package static let target = "lampIsSetUp[build=weak]"

    package static let matrix = AuditMatrix(
        [
            AuditMatrix.Row(
                service: "FF00", characteristic: "FF01", handle: 3, name: "brightness",
                cells: [
                    .nobody: [
                        .read: .init(.yes, expected: true), .write: .init(.yes, expected: false),
                        .subscribe: .init(.notOffered),
                    ],
                    .pairedWithNumber: [
                        .read: .init(.no, expected: true), .write: .init(.no), .subscribe: .init(.notOffered),
                    ],
                ])
        ], notTried: [.otherPhone: "it pairs with one phone"])

    private static func control(
        _ name: String, _ clauses: [String], isChosen: Bool = true, missing: AuditInfo.Missing? = nil
    ) -> AuditInfo.Control {
        AuditInfo.Control(
            name: name, family: String(name.prefix { $0 != "." }), sentence: "“\(name)” is as it must be",
            clauses: clauses.map { AuditInfo.Clause("EN 18031", $0) }, isChosen: isChosen, missing: missing)
    }

    package static let info = AuditInfo(
        controls: [
            control("air.modes", ["GEC-2"]),
            control(
                "air.signal", ["GEC-2"], missing: .init(.outOfReach, "the air has no power", instead: "measure it")),
            control("pairing.legacy", ["CRY-1"]), control("pairing.guesses", ["AUM-6"]),
            control("pairing.keySize", ["CRY-1"]), control("access.matrix", ["ACM-2"]),
            control("access.hidden", ["ACM-2"]),
            control("life.reset", ["DLM-1"], missing: .init(.notChecked, "not yet")),
            control("wifi.wps", ["AUM-6"], isChosen: false, missing: .init(.notChecked, "others are asked for")),
        ],
        catalogues: [
            AuditInfo.Catalogue(
                name: "EN 18031", source: "https://example.com/en-18031",
                clauses: ["ACM-2", "AUM-6", "CRY-1", "DLM-1", "GEC-2", "GEC-9"].map {
                    AuditInfo.Catalogue.Entry(number: $0, title: "title of \($0)")
                })
        ],
        targets: [
            AuditInfo.Target(scenario: target, title: "A lamp is set up [build=weak]", digests: ["program": "ab12"])
        ])

    /// - Parameters:
    ///   - text: Is in each text from the accessory.
    ///   - isBreached: Whether the access matrix is.
    package static func record(
        _ text: String = "write FF01", isBreached: Bool = true, folder: String = "/work/results/20260114-093015-k3v9"
    ) -> RunRecord { lines(text, isBreached: isBreached, folder: folder).reduce(into: RunRecord()) { $0.take($1) } }

    /// The lines of that run.
    package static func lines(
        _ text: String = "write FF01", isBreached: Bool = true, folder: String = "/work/results/20260114-093015-k3v9"
    ) -> [RunLine] {
        let checked = info.controls.filter { $0.missing == nil }.map(\.name)
        let entries = checked.map { name in
            var entry = RunInfo.Entry(
                identifier: "lampIsSetUp~\(name)[build=weak]", title: "“\(name)” is as it must be: A lamp is set up",
                file: "Scenarios/Lamps/LampIsSetUp", folder: "lampIsSetUp-\(name)",
                replay: "hil audit '\(target)' --only \(name)")
            entry.control = name
            return entry
        }
        var run = RunInfo(version: "1", rig: "native", machine: "bench", folder: folder, scenarios: entries)
        run.audit = info
        let checks = entries.flatMap { entry in
            let (notes, failures, lack) = story(of: entry.control ?? "", text, isBreached)
            return lines(of: entry.identifier, notes, failures, lack)
        }
        return [RunLine(time: start, runner: .runBegan(run))] + checks
            + [RunLine(time: start + 9_000_000_000, runner: .runEnded(RunEnd(seconds: 9)))]
    }

    private static func story(
        of control: String, _ text: String, _ isBreached: Bool
    ) -> (notes: [AuditNote], failures: [Failure], lack: Lack?) {
        let frames = AuditNote.frames(ofNotes: [AuditFrames([7, 9]), AuditFrames(Array(11...60))])
        let tried: [AuditNote] = [.began, .tried(text: "it was tried: \(text)"), .tried(text: "it came"), frames]
        switch control {
        case "access.matrix" where isBreached:
            let found = AuditNote.found(outcome: .breached, reason: "a stranger can \(text)", instead: nil)
            return (tried + [.matrix(matrix), found], [Failure(.product, "breached: a stranger can \(text)")], nil)
        case "pairing.guesses":
            let reason = "it can be guessed; accepted, because each number is new"
            return (tried + [.seed(UInt64.max), .found(outcome: .accepted, reason: reason, instead: nil)], [], nil)
        case "access.hidden":
            let found = AuditNote.found(outcome: .doesNotApply, reason: "it has no attributes", instead: nil)
            return (tried + [found], [], Lack("does not apply: it has no attributes"))
        case "pairing.keySize": return ([.began], [Failure(.rig, "the air is lost")], nil)
        default: return (tried + [.found(outcome: .holds, reason: nil, instead: nil)], [], nil)
        }
    }

    private static func lines(
        of name: String, _ notes: [AuditNote], _ failures: [Failure], _ lack: Lack?
    ) -> [RunLine] {
        let events =
            [ScenarioEvent.bodyBegan(budget: 60)] + notes.map(ScenarioEvent.audit) + failures.map(ScenarioEvent.failure)
        let told = events.enumerated().map { number, event in
            let time = start + UInt64(number) * 500_000_000
            return RunLine(scenario: name, worker: StampedEvent(time: time, event: event))
        }
        let result = ScenarioResult(
            Judgement(failures, lack: lack), seconds: 2, bodySeconds: 1, evidence: ["capture.pcapng"])
        return [RunLine(time: start, scenario: name, runner: .scenarioBegan, rig: 1)] + told
            + [RunLine(time: start + 5_000_000_000, scenario: name, runner: .scenarioEnded(result))]
    }
}
