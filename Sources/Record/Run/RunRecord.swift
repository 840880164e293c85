import HILPOSIX
import HILTiming

/// Everything that is known about a run: the one document that terminal, JUnit, Markdown and history read.
///
/// It is a pure fold over the run's ``RunLine``s, and can be read at any time. Only its readers make text of it.
package struct RunRecord: Sendable {
    /// Everything that is known about one scenario.
    package struct Entry: Sendable {
        package let info: RunInfo.Entry
        /// The number of the rig that it got, from 1; nil while it waits.
        package internal(set) var rig: Int?
        /// Nanoseconds since 1970; nil while it waits.
        package internal(set) var began: UInt64?
        /// Nanoseconds since 1970; nil until it has a result.
        package internal(set) var ended: UInt64?
        package internal(set) var result: ScenarioResult?
        package internal(set) var isInterrupted = false
        /// The versions of the programs on the boards, by board.
        package internal(set) var versions: [String: [String: String]] = [:]
        /// Which phone it was: `iPhone17,3 named iPhone`; nil if the scenario did not choose one.
        package internal(set) var phone: String?
        /// Its exploration; nil if it is not explored, or the moments are not known yet.
        package internal(set) var exploration: ExplorationRecord?
        /// The record of each attempt, in order; at least one.
        package internal(set) var attempts = [AttemptRecord(1)]

        /// The events for people, one line each: seconds since the scenario began, as in its story, and the text.
        package var log: [String] {
            attempts.flatMap { attempt in
                attempt.lines(attempt.log)
                    + [attempt.whyAgain(isLast: attempt.number == attempts.count)].compactMap(\.self)
            }
        }

        /// The attempt that decided the verdict: the first one with the cause of the failure, or else the last one.
        package var decisive: AttemptRecord {
            let cause = result?.judgement.cause
            return attempts.first { cause != nil && $0.result?.judgement.cause == cause }
                ?? attempts[attempts.count - 1]
        }

        /// Whether another case is a finding of its exploration.
        package func has(finding other: Entry) -> Bool {
            exploration != nil && other.info.identifier.hasPrefix("\(info.identifier)~")
        }
    }

    package private(set) var info: RunInfo?
    /// The format of the lines, see ``RunLine/format``; 1 if they have no number.
    package private(set) var format = 1
    /// When the run began, nanoseconds since 1970.
    package private(set) var began: UInt64 = 0
    package private(set) var entries: [Entry] = []
    package private(set) var end: RunEnd?
    /// How many lines of the file could not be read.
    package internal(set) var unreadableLines = 0
    private var places: [String: Int] = [:]
    private var counts: [Verdict: Int] = [:]
    /// The versions that were reported last. All scenarios that reported the same share one copy.
    private var lastVersions: [String: [String: String]] = [:]

    package init() {}

    /// Adds the next line.
    package mutating func take(_ line: RunLine) {
        if let event = line.runner { take(event, line) }
        guard let place = line.scenario.flatMap({ places[$0] }), let event = line.worker else { return }
        if case .boardsReady(let versions) = event {
            let versions = shared(versions)
            entries[place].versions = versions
        }
        if case .accessoryVersion(let name, let version) = event {
            entries[place].versions["accessory", default: [:]][name] = version
        }
        if case .phone(let note) = event, let personality = note.personality { entries[place].phone = personality }
        entries[place].attempts[entries[place].attempts.count - 1].take(event, at: line.time)
    }

    private mutating func take(_ event: RunnerEvent, _ line: RunLine) {
        let place = line.scenario.flatMap { places[$0] }
        switch event {
        case .runBegan(let info):
            self.info = info
            format = line.format ?? 1
            began = line.time
            (entries, places, counts) = ([], [:], [:])
            add(info.scenarios)
        case .roundBegan(let scenarios): add(scenarios)
        case .runEnded(let end): self.end = end
        default:
            guard let place else { return }
            if let verdict = entries[place].result?.judgement.verdict { counts[verdict, default: 0] -= 1 }
            entries[place].take(event, line)
            if let versions = entries[place].result?.versions {
                let versions = shared(versions)
                entries[place].result?.versions = versions
            }
            if let verdict = entries[place].result?.judgement.verdict { counts[verdict, default: 0] += 1 }
        }
    }

    private mutating func shared(_ versions: [String: [String: String]]) -> [String: [String: String]] {
        if versions != lastVersions { lastVersions = versions }
        return lastVersions
    }

    /// Forgets the events of a scenario that passed, except its steps and their times, so that the finished scenarios
    /// of a long run take no more memory.
    package mutating func forgetStory(of identifier: String) {
        guard let place = places[identifier], let result = entries[place].result,
            result.judgement.verdict == .passed || result.judgement.verdict == .skipped,
            // Its screens are beside its grid.
            entries[place].exploration == nil
        else { return }
        entries[place].result?.evidence = []
        entries[place].attempts = entries[place].attempts.map { attempt in
            var kept = AttemptRecord(attempt.number, began: attempt.began)
            (kept.bodyBegan, kept.budget, kept.steps) = (attempt.bodyBegan, attempt.budget, attempt.steps)
            kept.audit = attempt.audit
            return kept
        }
    }

    private mutating func add(_ scenarios: [RunInfo.Entry]) {
        for scenario in scenarios {
            places[scenario.identifier] = entries.count
            entries.append(Entry(info: scenario))
        }
    }

    /// The versions of the programs on the boards, by board, of all scenarios together.
    package var versions: [String: [String: String]] {
        entries.reduce(into: [:]) { all, entry in all.merge(entry.versions) { $0.merging($1) { first, _ in first } } }
    }

    /// The firmware of the accessory: the run's label, or what the accessories' hooks reported; nil if unknown, or if
    /// the scenarios had different ones.
    package var firmware: String? {
        if let label = info?.options.firmware { return label }
        let told = Set(entries.compactMap { $0.result?.firmware })
        return told.count == 1 ? told.first : nil
    }

    /// What decides whether the times of two runs can be compared.
    package var bench: RunMachine {
        RunMachine(
            machine: info?.machine ?? "", rig: info?.rig ?? "", accessory: info?.accessory,
            kernel: versions["host"]?["kernel"])
    }

    /// The entry of an identifier.
    package subscript(identifier: String) -> Entry? { places[identifier].map { entries[$0] } }

    /// How many scenarios have this verdict.
    package func count(_ verdict: Verdict) -> Int { counts[verdict] ?? 0 }

    /// The place of an identifier among the scenarios, from 0; nil if it is not among them.
    package func place(of identifier: String) -> Int? { places[identifier] }

    /// Whether a scenario should have run but has no result. A run that ends at the first scenario that did not pass, or
    /// with a budget for its beginnings, owes no more results.
    package func isOwed(_ entry: Entry) -> Bool {
        entry.result == nil && (entry.isInterrupted || end?.stoppedBy == nil && end?.usedBudget == nil)
    }

    /// Whether a scenario did not begin because the budget was used up before.
    package func isLeft(_ entry: Entry) -> Bool {
        end?.usedBudget != nil && entry.result == nil && !entry.isInterrupted
    }

    /// The scenarios that did not begin because the budget was used up, in words with their names: `2 checks were left when
    /// the budget of 30 s was used up: …`; nil if none were.
    package var leftWords: String? {
        let left = entries.filter { isLeft($0) }
        guard let budget = end?.usedBudget, !left.isEmpty else { return nil }
        let what = info?.audit == nil ? "scenario" : "check"
        return "\(left.count) \(what)\(left.count == 1 ? " was" : "s were") left when the budget of "
            + "\(Duration.seconds(budget).short) was used up: \(left.map(\.info.identifier).joined(separator: ", "))"
    }

    /// The scenarios that should have run but have no result.
    package var owed: [Entry] { entries.filter { isOwed($0) } }

    /// The exit code of `hil run`: 128 and the signal if interrupted; 1 if any scenario failed; else 2 if any was an
    /// error of the rig, or should have run but did not; else 3 if any was flaky and the run is strict; else 0. A
    /// failure outweighs an error, because it is certain.
    package var exitCode: Int32 {
        if let signal = end?.signal { return 128 + signal }
        if count(.failed) > 0 { return 1 }
        if count(.error) > 0 || end?.missedBudget != nil || !owed.isEmpty { return 2 }
        return info?.options.isStrict == true && count(.flaky) > 0 ? 3 : 0
    }
}

/// The machine and the rig of a run. Times of different ones say nothing about the product.
package struct RunMachine: Sendable, Hashable, CustomStringConvertible {
    package var machine: String
    /// The kind of rig: `virtual`.
    package var rig: String
    /// The accessory board's system; nil if it is not known.
    package var accessory: String?
    /// The version of the host board's kernel, which differs between native boards and QEMU; nil if it is not known.
    package var kernel: String?

    package init(machine: String, rig: String, accessory: String?, kernel: String?) {
        self.machine = machine
        self.rig = rig
        self.accessory = accessory
        self.kernel = kernel
    }

    package var description: String {
        ["\(rig) rig of \(machine)", accessory, kernel.map { "kernel \($0)" }].compactMap { $0 }.joined(separator: ", ")
    }
}

extension RunRecord.Entry {
    /// Adds an event of the runner about this scenario.
    fileprivate mutating func take(_ event: RunnerEvent, _ line: RunLine) {
        let last = attempts.count - 1
        switch event {
        case .scenarioBegan:
            (began, rig) = (line.time, line.rig)
            attempts[last].began = line.time
        case .attemptBegan: attempts[last].began = line.time
        case .attemptEnded(let result):
            attempts[last].result = result
            attempts.append(AttemptRecord(attempts.count + 1, began: line.time))
        case .scenarioEnded(let result):
            (ended, self.result) = (line.time, result)
            attempts[last].result = result.lastAttempt
        case .scenarioInterrupted: isInterrupted = true
        case .explorationBegan(let info): exploration = ExplorationRecord(info)
        case .trialEnded(let result): exploration?.results.add(result)
        case .runBegan, .roundBegan, .runEnded: break
        }
    }
}

extension ScenarioResult {
    /// The result of the last attempt. A scenario with one attempt has it itself, without its quarantine.
    fileprivate var lastAttempt: AttemptResult {
        if let last = attempts?.last { return last }
        var judgement = judgement
        if let actual = judgement.actual { judgement.verdict = actual }
        return AttemptResult(
            judgement, seconds: seconds, bodySeconds: bodySeconds, lateness: lateness, processor: processor,
            evidence: evidence, missing: missing, boards: boards, warnings: warnings ?? [], firmware: firmware,
            versions: versions)
    }
}

extension Double {
    /// The number with this many decimals and a point, in every locale.
    package func formatted(decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (self * scale).rounded()
        guard scaled.magnitude < 9e18 else { return scaled.isNaN ? "?" : self < 0 ? "-∞" : "∞" }
        let whole = Int64(scaled)
        guard decimals > 0 else { return "\(whole)" }
        let padded = whole.magnitude.padded(to: decimals + 1)
        return (whole < 0 ? "-" : "") + "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
