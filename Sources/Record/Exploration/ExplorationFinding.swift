/// Trials that show the same fault of the product.
package struct ExplorationFinding: Sendable, Hashable {
    /// The trial that stands for the others: the shortest.
    package var shortest: TrialResult
    /// All of them, the shortest first.
    package var trials: [TrialResult]
    /// Where along the journey it comes; nil if the journey is not known, or for pairs of faults.
    package var range: FindingRange?
    /// Whether the journey uses Wi-Fi.
    package var hasWiFi = true
    /// Tells findings apart that have all else in common, from 1.
    package var number = 1
    /// How often the shortest came again when it was tried, and how often it was tried; nil before that.
    package var confirmed: Confirmation?

    /// How often a trial was made, and how often it had the same outcome.
    package struct Confirmation: Sendable, Hashable {
        package let times: Int
        package let of: Int

        package init(_ times: Int, of count: Int) { (self.times, of) = (times, count) }
    }

    /// - Parameter trials: All of them, the shortest first.
    package init(shortest: TrialResult, trials: [TrialResult], range: FindingRange? = nil) {
        (self.shortest, self.trials, self.range) = (shortest, trials, range)
    }

    package var outcome: TrialOutcome { shortest.outcome }

    /// A name that stays from run to run, for history and JUnit: `silent/link/set up`.
    package var key: String {
        let place = [shortest.step, shortest.screen].compactMap { $0 }.joined(separator: "/")
        let effect = FaultEffect.all(of: trials.map(\.cell), hasWiFi: hasWiFi).map(\.rawValue).joined(separator: "-")
        let parts = [outcome.rawValue, effect.isEmpty ? shortest.cell.fault : effect, place.isEmpty ? "-" : place]
        return parts.joined(separator: "/") + (number == 1 ? "" : "/\(number)")
    }

    /// ``key`` as a part of a file's name.
    package var slug: String {
        let safe = key.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(safe.prefix(80)) + (number == 1 || safe.count <= 80 ? "" : "-\(number)")
    }

    /// The faults of its trials, in the order of their table.
    private var faults: [String] {
        let known = FaultKind.allCases.map(\.rawValue)
        let all = Set(trials.map(\.cell.fault))
        return known.filter(all.contains) + all.subtracting(known).sorted()
    }

    /// One sentence: when what goes wrong, what happens.
    package var sentence: String {
        func clause(_ fault: String) -> String { FaultKind(rawValue: fault)?.clause ?? "“\(fault)” happens" }
        let faults = faults
        let names = faults.map { FaultKind(rawValue: $0)?.words ?? $0 }.joined(separator: ", ")
        let what =
            faults.count == 1
            ? clause(shortest.cell.fault)
            : "\(FaultEffect.clause(of: trials.map(\.cell), hasWiFi: hasWiFi)) (\(names))"
        let place = range?.words ?? "at \(shortest.cell.moment)"
        let more = shortest.second.map { ", and \(clause($0.fault)) at \($0.moment)" } ?? ""
        let count = trials.count == 1 ? "" : " (\(trials.count) trials)"
        // An error may be a sentence of its own.
        let end = detail.last == "." ? detail.dropLast() : detail[...]
        return "When \(what) \(place)\(more), \(end)\(count)."
    }

    /// The most further steps that a sentence names.
    private static let mostSteps = 3

    /// What was wrong, with the steps of all trials.
    private var detail: String {
        let text = shortest.detail ?? outcome.words
        guard let step = shortest.step else { return text }
        let steps = Set(trials.compactMap(\.step)).subtracting([step]).sorted().prefix(ExplorationFinding.mostSteps)
        let names = ([step] + steps).map { "“\($0)”" }.joined(separator: " or ")
        return text.replacing(" in “\(step)”", with: " in \(names)")
    }

    /// How sure it is: `3 of 3`; nil before it was tried again.
    package var certainty: String? { confirmed.map { "\($0.times) of \($0.of)" } }
}

// MARK: - Causes

extension ExplorationFinding {
    /// What findings of one cause have in common, beside an effect of their faults.
    private struct Symptom: Hashable {
        let outcome: TrialOutcome
        /// What was waited for, or what was wrong; its numbers do not matter.
        let what: String?
        let screen: String?
        let isPair: Bool

        init(_ result: TrialResult) {
            outcome = result.outcome
            isPair = result.second != nil
            switch result.outcome {
            case .silent:
                // An app that ignores what it is told does so in every step. Else what is waited for is the end of a step.
                let ignored = result.told.map { "told \($0.prefix { $0.isLetter })" }
                what = result.awaited.map(Failure.alike) ?? ignored ?? result.step.map { Failure.alike("step \($0)") }
                screen = result.screen
            case .stuck:
                what = (result.awaited ?? result.detail).map(Failure.alike)
                screen = result.screen
            // What is wrong then does not depend on where the attempt ended.
            default:
                what = result.detail.map {
                    Failure.alike($0.split(separator: TrialNote.seen).first.map(String.init) ?? $0)
                }
                screen = nil
            }
        }
    }

    /// The findings among trials. Those with the same symptom are one if their faults have an effect in common.
    ///
    /// - Parameters:
    ///   - info: The journey, for the ranges of moments.
    ///   - hasWiFi: Whether the journey uses Wi-Fi, if `info` is not given.
    package static func all(
        in results: [TrialResult], of info: ExplorationInfo? = nil, hasWiFi: Bool = true
    ) -> [ExplorationFinding] {
        var order: [Symptom] = []
        var groups: [Symptom: [TrialResult]] = [:]
        for result in results where result.outcome.isFinding {
            let symptom = Symptom(result)
            if groups[symptom] == nil { order.append(symptom) }
            groups[symptom, default: []].append(result)
        }
        let hasWiFi = info?.moments.contains(where: \.hasWiFi) ?? hasWiFi
        var findings = order.flatMap { causes(of: groups[$0] ?? [], hasWiFi: hasWiFi) }.map { trials in
            let sorted = trials.sorted { ($0.seconds, "\($0.cell)") < ($1.seconds, "\($1.cell)") }
            let range = info.flatMap { FindingRange(of: sorted, among: results, $0) }
            var finding = ExplorationFinding(shortest: sorted[0], trials: sorted, range: range)
            finding.hasWiFi = hasWiFi
            return finding
        }
        var numbers: [String: Int] = [:]
        for place in findings.indices {
            let key = findings[place].key
            numbers[key, default: 0] += 1
            findings[place].number = numbers[key, default: 1]
        }
        return findings
    }

    /// Divides trials with one symptom by the effects of their faults: two are together if a chain of common effects leads
    /// from one to the other.
    private static func causes(of trials: [TrialResult], hasWiFi: Bool) -> [[TrialResult]] {
        var causes: [(effects: Set<String>, trials: [TrialResult])] = []
        for trial in trials {
            let cell = trial.cell
            let effects = FaultKind(rawValue: cell.fault)?.effects(at: cell.moment.layer, hasWiFi: hasWiFi)
            var joined = (effects: effects.map { Set($0.map(\.rawValue)) } ?? [cell.fault], trials: [trial])
            // The oldest stays first.
            for cause in causes.filter({ !$0.effects.isDisjoint(with: joined.effects) }).reversed() {
                joined = (joined.effects.union(cause.effects), cause.trials + joined.trials)
            }
            let place = causes.firstIndex { !$0.effects.isDisjoint(with: joined.effects) } ?? causes.endIndex
            causes.removeAll { !$0.effects.isDisjoint(with: joined.effects) }
            causes.insert(joined, at: place)
        }
        return causes.map(\.trials)
    }
}
