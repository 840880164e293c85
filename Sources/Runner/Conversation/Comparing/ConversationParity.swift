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

    private struct Key: Hashable {
        var kind: Procedure.Kind
        var side: Procedure.Side
        var subject: String
        var number: Int
    }

    package init(_ first: Conversation, _ second: Conversation) {
        let shown = Set(Procedure.Kind.allCases).filter {
            first.vantage.shows($0) && second.vantage.shows($0)
        }.subtracting(first.hidden + second.hidden)
        let (one, two) = (
            ConversationParity.keyed(first, shown), ConversationParity.keyed(second, shown)
        )
        if first.vantage != second.vantage {
            let hidden = Procedure.Kind.allCases.filter { first.vantage.shows($0) != second.vantage.shows($0) }
            limits.append(
                "the first is \(first.vantage.rawValue), the second \(second.vantage.rawValue): not compared are "
                    + hidden.map(\.rawValue).joined(separator: ", "))
        }
        limits += (first.gaps + second.gaps).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        let places = Dictionary(two.enumerated().map { ($1.key, $0) }) { first, _ in first }
        let pairs = one.indices.compactMap { index in places[one[index].key].map { (index, $0) } }
        common = pairs.count
        let moved = ConversationParity.moved(pairs)
        let partners = Dictionary(pairs) { first, _ in first }
        for (index, entry) in one.enumerated() {
            guard let partner = partners[index] else {
                differences.append(ConversationParity.missing(entry.procedure))
                continue
            }
            let other = two[partner].procedure
            differences += ConversationParity.values(entry.procedure, other)
            if moved.contains(index) { differences.append(ConversationParity.order(entry.procedure, other)) }
        }
        let matched = Set(pairs.map(\.1))
        for (index, entry) in two.enumerated() where !matched.contains(index) {
            differences.append(ConversationParity.more(entry.procedure))
        }
        differences += ConversationParity.delays(pairs, one.map(\.procedure), two.map(\.procedure))
    }

    /// Several comparisons as one: of Bluetooth and of Wi-Fi.
    package init(joining parts: [ConversationParity], limits: [String] = []) {
        differences = parts.flatMap(\.differences)
        common = parts.reduce(0) { $0 + $1.common }
        self.limits = (parts.flatMap(\.limits) + limits).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private static func keyed(
        _ conversation: Conversation, _ shown: Set<Procedure.Kind>
    ) -> [(key: Key, procedure: Procedure)] {
        var counts: [Key: Int] = [:]
        return conversation.procedures.filter { shown.contains($0.kind) }.prefix(most).map { procedure in
            var key = Key(kind: procedure.kind, side: procedure.side, subject: procedure.subject, number: 0)
            // The number of its key without a number is the count.
            let number = counts[key, default: 0]
            counts[key] = number + 1
            key.number = number
            return (key, procedure)
        }
    }

    /// The fewest procedures that must move so that both have the same order: those outside the longest sequence that is
    /// in order in both.
    private static func moved(_ pairs: [(Int, Int)]) -> Set<Int> {
        // The ends of the best sequences by length, and what each pair follows.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            let place = ends.firstIndex { pairs[$0].1 >= pair.1 } ?? ends.count
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
    private static func delays(_ pairs: [(Int, Int)], _ one: [Procedure], _ two: [Procedure]) -> [Difference] {
        zip(pairs, pairs.dropFirst()).compactMap { before, pair in
            guard before.1 < pair.1 else { return nil }
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
