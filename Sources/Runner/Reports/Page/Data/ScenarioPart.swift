import Foundation
import HILPOSIX
import HILRecord

/// All that a run's record says of a scenario, for `scenario.js`. Times are in seconds, and of an attempt they count from
/// its ``AttemptRecord/zero``, as those of the story do.
package struct ScenarioPart: Encodable {
    /// The run and the scenario, so that the page notices a file that belongs to something else.
    let run, id: String
    let attempts: [Attempt]
    /// The folder with both boards as they were at the failure; nil if they were not kept.
    let boards: String?
    /// What is missing of the evidence.
    let missing: [String]
    let evidence: [String]
    let warnings: [String]
    let versions: [String: [String: String]]
    /// The last run in which it passed, or the journey without the fault, if its timeline is in `before.js`.
    let before: Before?

    /// An earlier run of the same scenario.
    package struct Before: Encodable, Sendable {
        /// The name of the run.
        package var run: String
        /// Milliseconds since 1970.
        package var began: Double
        /// Whether it is the same journey without the fault of an exploration's finding.
        package var isWithoutFault: Bool

        package init(run: String, began: UInt64, isWithoutFault: Bool = false) {
            self.run = run
            self.began = Double(began / 1_000_000)
            self.isWithoutFault = isWithoutFault
        }
    }

    struct Attempt: Encodable {
        let number: Int
        /// Relative to the scenario's folder; empty for the first.
        let folder: String
        /// Nanoseconds since 1970 as text, because JavaScript's numbers are not exact enough; the times count from it.
        let zero: String
        let budget: Double?
        let verdict: String?
        let remark: String?
        let seconds, bodySeconds: Double?
        /// What was late, for people; nil if nothing was.
        let lateness: String?
        let failures: [Problem]
        let steps: [Step]
        let expectations: [Expectation]
        let screens: [Screen]
        let faults: [Fault]
        /// nil if none was recorded.
        let waits: [Wait]?
    }

    struct Wait: Encodable {
        /// When it began.
        let at, seconds: Double
        let what: String
    }

    struct Problem: Encodable {
        let at: Double?
        let message: String
        let place: String?
        let step: Int?
        /// `product` or `rig`.
        let kind: String
        /// Whether it is based only on time.
        let isLate: Bool
        /// The kind of defect, the board and the program: `daemon`, `accessory`, `bluetoothd`.
        let finding, board, program: String?
    }

    struct Step: Encodable {
        let number: Int
        let name: String
        let at, budget: Double
        let seconds: Double?
        let outcome: String?
        let place: String
    }

    struct Expectation: Encodable {
        let at: Double
        let text: String
        let held: Bool
        let place: String
        let step: Int?
    }

    struct Screen: Encodable {
        let at: Double
        let number: Int
        let kind, title: String
        let light, dark: String?
    }

    struct Fault: Encodable {
        let at: Double
        let fault: String
        let packet: String?
        let count, of: Int
    }

    /// The most entries of a list, so that a scenario that loops cannot make a file that no browser opens.
    private static let most = 5000

    package init(_ entry: RunRecord.Entry, of record: RunRecord, root: String?, before: Before? = nil) {
        run = record.info.map { String($0.folder.split(separator: "/").last ?? "") } ?? ""
        id = entry.info.identifier
        attempts = entry.attempts.prefix(101).map { ScenarioPart.attempt($0, root) }
        boards = entry.result?.boards
        missing = entry.result?.missing ?? []
        evidence = Array((entry.result?.evidence ?? []).prefix(500))
        warnings = entry.result?.warnings?.map(\.line) ?? []
        versions = entry.versions
        self.before = before
    }

    /// The script that hands it to the page.
    package var script: [UInt8] { ScriptJSON.call("part", self) }

    private static func attempt(_ attempt: AttemptRecord, _ root: String?) -> Attempt {
        func seconds(_ time: UInt64) -> Double {
            (Double(Int64(bitPattern: time &- attempt.zero)) * 1e-3).rounded() / 1_000_000
        }
        let judgement = attempt.result?.judgement
        // The verdict may say more of a failure than was told at its moment: the packets of an attack.
        let told = attempt.failures.map { moment in
            (value: judgement?.failures.first { $0.continues(moment.value) } ?? moment.value, at: moment)
        }
        // The runner's own findings come only with the verdict: they have no moment.
        let late = (judgement?.failures ?? []).filter { failure in !told.contains { $0.value == failure } }
        let problems =
            told.map { problem($0.value, at: seconds($0.at.time), step: $0.at.step, root) }
            + late.map { problem($0, at: nil, step: nil, root) }
        return Attempt(
            number: attempt.number,
            folder: attempt.result?.folder ?? (attempt.number == 1 ? "" : "attempt-\(attempt.number)"),
            zero: "\(attempt.zero)", budget: attempt.budget, verdict: judgement?.verdict.rawValue,
            remark: judgement?.remark,
            seconds: attempt.result?.seconds, bodySeconds: attempt.result?.bodySeconds,
            lateness: attempt.result?.lateness?.text,
            failures: Array(problems.prefix(most)),
            steps: attempt.steps.prefix(most).map { step in
                Step(
                    number: step.number, name: step.name, at: seconds(step.began), budget: step.budget,
                    seconds: step.seconds, outcome: step.outcome?.rawValue, place: step.location.text(below: root))
            },
            expectations: attempt.expectations.prefix(most).map { moment in
                Expectation(
                    at: seconds(moment.time), text: moment.value.text, held: moment.value.held,
                    place: moment.value.location.text(below: root), step: moment.step)
            },
            screens: attempt.screens.prefix(most).map { moment in
                Screen(
                    at: seconds(moment.time), number: moment.value.number, kind: moment.value.kind,
                    title: moment.value.title, light: moment.value.picture?.light, dark: moment.value.picture?.dark)
            },
            faults: attempt.faults.prefix(most).map { moment in
                Fault(
                    at: seconds(moment.time), fault: moment.value.fault, packet: moment.value.packet,
                    count: moment.value.count, of: moment.value.of)
            },
            waits: attempt.waits.isEmpty
                ? nil
                : attempt.waits.prefix(most).map { moment in
                    Wait(
                        at: seconds(moment.time) - moment.value.seconds, seconds: moment.value.seconds,
                        what: PlainText.cut(moment.value.what, to: 500))
                })
    }

    private static func problem(_ failure: Failure, at: Double?, step: Int?, _ root: String?) -> Problem {
        Problem(
            at: at, message: PlainText.cut(failure.message, to: 20_000), place: failure.location?.text(below: root),
            step: step,
            kind: failure.kind.rawValue, isLate: !failure.isProven, finding: failure.finding?.kind.rawValue,
            board: failure.finding?.board?.rawValue, program: failure.finding?.program)
    }
}

extension Failure {
    /// Whether it is another failure with more lines.
    fileprivate func continues(_ other: Failure) -> Bool {
        kind == other.kind && location == other.location && message.hasPrefix(other.message + "\n")
    }
}

/// The script with the timeline of an attempt.
package enum LanesScript {
    /// - Parameter timeline: The content of a `timeline.json`, whatever it is.
    package static func bytes(_ timeline: Data) -> [UInt8] { ScriptJSON.call("lanes", file: timeline) }
}
