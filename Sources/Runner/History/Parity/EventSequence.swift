import HILRecord

/// The differences in the events of a case, and in their order.
///
/// An event that repeats itself at once counts once, because how often a radio hears the same is chance. Two events count as
/// exchanged if they lie further apart than ``margin`` in both runs, in opposite order: what happens nearly at once comes in
/// either order.
package struct EventSequence: Sendable, Hashable, Codable {
    /// An event that one run has more often than the other.
    package struct Surplus: Sendable, Hashable, Codable {
        package var event: EventKey
        /// How often more.
        package var count: Int
    }

    /// Two events of which the first comes first in the first run, and the second in the second.
    package struct Exchange: Sendable, Hashable, Codable {
        package var first: EventKey
        package var second: EventKey
    }

    /// Nanoseconds.
    static let margin: UInt64 = 100_000_000
    /// The most events of a case whose order is compared, so that a hostile timeline does not take hours.
    static let limit = 2000

    /// Only in the first run, in its order.
    package var onlyFirst: [Surplus]
    package var onlySecond: [Surplus]
    /// In order of the first run; of each event only the first event that it changed places with.
    package var exchanged: [Exchange]
    /// How many events both runs have.
    package var common: Int

    package var isSame: Bool { onlyFirst.isEmpty && onlySecond.isEmpty && exchanged.isEmpty }

    private struct Happening: Hashable {
        var key: EventKey
        /// How often the event was there before.
        var number: Int
    }

    /// - Parameters: The events of a case in both runs, in order of time.
    package init(_ first: [TimelineEvent], _ second: [TimelineEvent]) {
        let (one, two) = (EventSequence.happenings(first), EventSequence.happenings(second))
        onlyFirst = EventSequence.surplus(one, over: two)
        onlySecond = EventSequence.surplus(two, over: one)
        let times = Dictionary(two.map { ($0.happening, $0.time) }) { first, _ in first }
        let both = one.compactMap { event in
            times[event.happening].map { (key: event.happening.key, first: event.time, second: $0) }
        }
        common = both.count
        exchanged = []
        let compared = both.prefix(EventSequence.limit)
        for (place, event) in compared.enumerated() {
            let other = compared[(place + 1)...].first { later in
                later.first >= event.first &+ EventSequence.margin
                    && event.second >= later.second &+ EventSequence.margin
            }
            if let other { exchanged.append(Exchange(first: event.key, second: other.key)) }
        }
    }

    private static func happenings(_ events: [TimelineEvent]) -> [(happening: Happening, time: UInt64)] {
        var counts: [EventKey: Int] = [:]
        var last: [String: EventKey] = [:]
        var happenings: [(happening: Happening, time: UInt64)] = []
        for event in events {
            guard let key = EventKey(event), last[key.source] != key else { continue }
            last[key.source] = key
            happenings.append((Happening(key: key, number: counts[key, default: 0]), event.t))
            counts[key, default: 0] += 1
        }
        return happenings
    }

    private static func surplus(
        _ events: [(happening: Happening, time: UInt64)], over others: [(happening: Happening, time: UInt64)]
    ) -> [Surplus] {
        let known = Set(others.map(\.happening))
        var found: [Surplus] = []
        var places: [EventKey: Int] = [:]
        for event in events.map(\.happening) where !known.contains(event) {
            if let place = places[event.key] {
                found[place].count += 1
            } else {
                places[event.key] = found.count
                found.append(Surplus(event: event.key, count: 1))
            }
        }
        return found
    }
}
