import HILRecord

/// What is known of a journey without a fault: the moments that all its runs share, and how it ends.
package struct Journey: Sendable, Hashable, Codable {
    /// In the order of the first run.
    package var moments: [JourneyMoment]
    /// The moments that some runs had and others had not.
    package var unstable: [Moment]
    /// Why faults cannot be tried, by their names.
    package var unavailable: [String: String]
    /// Whether the app makes the phone a peripheral.
    private let isPeripheral: Bool
    /// The faults of the team.
    package var teamFaults: [String]
    /// What phone, app and accessory have at the end; the least of all runs, and the most.
    package var state: [TrialFact: ClosedRange<Int>]
    /// The same after the person has removed the accessory.
    package var leftovers: [TrialFact: ClosedRange<Int>]
    /// The longest time of a passing run, in seconds.
    package var seconds: Double
    /// Why the journey cannot be made a second time even without a fault; nil if it can.
    package var unrepeatable: String?

    /// - Parameter runs: Passing runs without a fault, at least one.
    package init(_ runs: [TrialNote]) {
        let sets = runs.map { Set($0.moments.map(\.moment)) }
        let shared = sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
        moments = (runs.first?.moments ?? []).filter { shared.contains($0.moment) }.map { place in
            // Only what was true in all of them, so that the next exploration tries the same.
            let all = runs.compactMap { run in run.moments.first { $0.moment == place.moment } }
            var place = place
            place.hasLink = all.allSatisfy(\.hasLink)
            place.hasWiFi = all.allSatisfy(\.hasWiFi)
            place.hasApp = all.allSatisfy(\.hasApp)
            return place
        }
        let all = sets.reduce(into: Set<Moment>()) { $0.formUnion($1) }
        unstable = all.subtracting(shared).sorted { "\($0)" < "\($1)" }
        isPeripheral = runs.contains(where: \.isPeripheral)
        unavailable = runs.first?.unavailable ?? [:]
        teamFaults = runs.first?.teamFaults ?? []
        state = Journey.ranges(runs.map(\.state))
        leftovers = Journey.ranges(runs.map(\.leftovers))
        seconds = runs.compactMap { $0.attempts.first?.seconds }.max() ?? 0
        let seconds = runs.compactMap { $0.attempts.dropFirst().first }
        unrepeatable = seconds.first { $0.ending != .passed }.map {
            $0.failure ?? "the second time it did not end"
        }
    }

    /// What a kept finding knows of its journey: the state at its end, as `phoneBonds=1 accessoryBonds=1`.
    package init(usual: String, left: String) {
        func counts(_ text: String) -> [TrialFact: ClosedRange<Int>] {
            text.split(separator: " ").reduce(into: [:]) { counts, word in
                let parts = word.split(separator: "=")
                guard parts.count == 2, let fact = TrialFact(rawValue: String(parts[0])), let count = Int(parts[1])
                else { return }
                counts[fact] = count...count
            }
        }
        (moments, unstable, unavailable, teamFaults, isPeripheral) = ([], [], [:], [], false)
        (state, leftovers, seconds, unrepeatable) = (counts(usual), counts(left), .infinity, nil)
    }

    private static func ranges(_ counts: [[TrialFact: Int]]) -> [TrialFact: ClosedRange<Int>] {
        var ranges: [TrialFact: ClosedRange<Int>] = [:]
        for (fact, count) in counts.flatMap({ Array($0) }) {
            let old = ranges[fact] ?? count...count
            ranges[fact] = min(old.lowerBound, count)...max(old.upperBound, count)
        }
        return ranges
    }

    /// Whether an app runs that could be told of an end. iOS tells an app that is nothing but a peripheral nothing of its links. A
    /// kept finding does not know.
    package var tellsApp: Bool {
        moments.isEmpty
            || moments.contains(where: \.hasApp) && !(isPeripheral && !moments.contains { $0.moment.layer == .told })
    }

    /// A trial, with what is usual at its end.
    package func order(_ order: TrialOrder) -> TrialOrder {
        var order = order
        (order.usual, order.usuallyLeft) = (state, leftovers)
        return order
    }

    /// The part of the moments of one run that another one has, from 0 to 1.
    package static func share(of one: TrialNote, in other: TrialNote) -> Double {
        let (first, second) = (Set(one.moments.map(\.moment)), Set(other.moments.map(\.moment)))
        return first.isEmpty ? 1 : Double(first.intersection(second).count) / Double(first.count)
    }
}
