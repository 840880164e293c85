/// Where two conversations differ, procedure by procedure.
///
/// The n-th procedure with the same kind, side and subject in one is that of the other. Kinds and values that one of the
/// captures cannot show are not compared.
package struct ConversationParity: Sendable, Hashable, Codable {
    /// What a difference is.
    package enum Sort: String, Sendable, Hashable, Codable, CaseIterable {
        case value, order, missing, more, later
    }

    package struct Difference: Sendable, Hashable, Codable {
        package var sort: Sort
        package var kind: Procedure.Kind
        /// What differs: `MTU exchange: offered 517, then 527`.
        package var text: String
        /// What it can mean for firmware.
        package var meaning: String
        /// The frames in the first and the second; nil where there is none.
        package var firstFrame, secondFrame: Int?
    }

    /// In order of the first conversation; what only the second has comes in its order.
    package private(set) var differences: [Difference] = []
    /// How many procedures both have.
    package private(set) var common = 0
    /// What was not compared, and why.
    package private(set) var limits: [String] = []

    package var isSame: Bool { differences.isEmpty }

    /// The least delay that is told, in nanoseconds, and how many times as long it must be.
    static let leastDelay: UInt64 = 500_000_000
    static let leastFactor = 2.0
    /// The most procedures that are compared.
    static let most = 5000

    package init(_ first: Conversation, _ second: Conversation) {
        let scope = ParityScope(first, second)
        let (one, two) = (scope.first, scope.second)
        limits = scope.limits
        let places = Dictionary(two.enumerated().map { ($1.key, $0) }) { first, _ in first }
        let pairs = one.indices.compactMap { index in places[one[index].key].map { (index, $0) } }
        common = pairs.count
        let moved = ConversationParity.moved(pairs)
        let partners = Dictionary(pairs) { first, _ in first }
        var unshown: (first: [Procedure], second: [Procedure]) = ([], [])
        for (index, entry) in one.enumerated() {
            guard let partner = partners[index] else {
                if scope.secondShows(entry.procedure) {
                    differences.append(ConversationParity.missing(entry.procedure))
                } else {
                    unshown.first.append(entry.procedure)
                }
                continue
            }
            let other = two[partner].procedure
            differences += ConversationParity.values(entry.procedure, other)
            if moved.contains(index) { differences.append(ConversationParity.order(entry.procedure, other)) }
        }
        let matched = Set(pairs.map(\.1))
        for (index, entry) in two.enumerated() where !matched.contains(index) {
            if scope.firstShows(entry.procedure) {
                differences.append(ConversationParity.more(entry.procedure))
            } else {
                unshown.second.append(entry.procedure)
            }
        }
        limits += [
            ParityScope.limit(
                unshown.first,
                "only the first has, because the second does not show all of its links, or of its attributes' names"),
            ParityScope.limit(
                unshown.second,
                "only the second has, because the first does not show all of its links, or of its attributes' names"),
        ].compactMap { $0 }
        differences += ConversationParity.delays(pairs, scope)
    }

    /// Several comparisons as one: of Bluetooth and of Wi-Fi.
    package init(joining parts: [ConversationParity], limits: [String] = []) {
        differences = parts.flatMap(\.differences)
        common = parts.reduce(0) { $0 + $1.common }
        self.limits = (parts.flatMap(\.limits) + limits).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The fewest procedures that must move so that both have the same order: those outside the longest sequence that is
    /// in order in both.
    private static func moved(_ pairs: [(Int, Int)]) -> Set<Int> {
        // The ends of the best sequences by length, and what each pair follows.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            let place = ends.partitioned { pairs[$0].1 >= pair.1 }
            before[index] = place > 0 ? ends[place - 1] : nil
            if place == ends.count { ends.append(index) } else { ends[place] = index }
        }
        var kept: Set<Int> = []
        var next = ends.last
        while let index = next {
            kept.insert(pairs[index].0)
            next = before[index]
        }
        return Set(pairs.map(\.0)).subtracting(kept)
    }
}

extension [Int] {
    /// The first place whose element meets a condition that all later ones meet too.
    fileprivate func partitioned(_ isMet: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isMet(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// The differences.
extension ConversationParity {
    /// Values for the reader alone.
    private static let ignored: Set = ["last declaration"]

    private static func values(_ one: Procedure, _ two: Procedure) -> [Difference] {
        one.values.compactMap { value in
            guard !ignored.contains(value.name), let other = two[value.name], other != value.text else { return nil }
            return Difference(
                sort: .value, kind: one.kind, text: "\(one.title): \(value.name) \(value.text), then \(other)",
                meaning: ParityMeaning.ofValue(one, value.name), firstFrame: one.frame, secondFrame: two.frame)
        }
    }

    private static func order(_ one: Procedure, _ two: Procedure) -> Difference {
        Difference(
            sort: .order, kind: one.kind, text: "\(one.title) comes at another place",
            meaning: ParityMeaning.ofOrder(one),
            firstFrame: one.frame, secondFrame: two.frame)
    }

    private static func missing(_ one: Procedure) -> Difference {
        Difference(
            sort: .missing, kind: one.kind, text: "\(one.title) is only in the first",
            meaning: ParityMeaning.ofMissing(one),
            firstFrame: one.frame)
    }

    private static func more(_ two: Procedure) -> Difference {
        Difference(
            sort: .more, kind: two.kind, text: "\(two.title) is only in the second", meaning: ParityMeaning.ofMore(two),
            secondFrame: two.frame)
    }

    /// Procedures whose time since the one before differs by much.
    private static func delays(_ pairs: [(Int, Int)], _ scope: ParityScope) -> [Difference] {
        let (one, two) = (scope.first.map(\.procedure), scope.second.map(\.procedure))
        return zip(pairs, pairs.dropFirst()).compactMap { before, pair in
            guard before.1 < pair.1, !scope.isPartlyShown(one[pair.0].link), !scope.isPartlyShown(two[pair.1].link)
            else { return nil }
            let first = one[pair.0].time &- one[before.0].time
            let second = two[pair.1].time &- two[before.1].time
            let (less, more) = (min(first, second), max(first, second))
            guard more - less >= leastDelay, Double(more) >= leastFactor * Double(less) else { return nil }
            let (here, there) = (one[pair.0], two[pair.1])
            return Difference(
                sort: .later, kind: here.kind,
                text: "\(here.title) comes \(seconds(first)) after \(one[before.0].title), then \(seconds(second))",
                meaning: ParityMeaning.ofDelay(isSlower: second > first), firstFrame: here.frame,
                secondFrame: there.frame)
        }
    }

    private static func seconds(_ nanoseconds: UInt64) -> String {
        "\(Decimal.text(Double(nanoseconds / 1_000_000) / 1000)) s"
    }
}

extension Conversation.Vantage {
    /// Whether a capture made there shows such a procedure as the phone begins it.
    func shows(_ kind: Procedure.Kind) -> Bool {
        switch kind {
        case .scan: self == .phoneHost
        // The links show the phone's addresses.
        case .address: false
        case .version, .features, .dataLength, .phy: self != .accessoryHost
        case .advertisement: self != .accessoryHost
        default: true
        }
    }
}
