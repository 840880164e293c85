/// What of two conversations can be compared, and what cannot be: its limits.
struct ParityScope {
    /// Which procedure it is: of both conversations, those with the same key are compared.
    struct Key: Hashable {
        var kind: Procedure.Kind
        var side: Procedure.Side
        var subject: String
        /// 0 if procedures are counted over all links.
        var link: Int
        var number = 0
    }

    typealias Entry = (key: Key, procedure: Procedure)

    private(set) var first: [Entry] = []
    private(set) var second: [Entry] = []
    private(set) var limits: [String] = []
    private let one, two: Shown

    init(_ one: Conversation, _ two: Conversation) {
        (self.one, self.two) = (Shown(one), Shown(two))
        let left = ParityScope.left(one).union(ParityScope.left(two))
        var shown = Set(Procedure.Kind.allCases).filter {
            one.vantage.shows($0) && two.vantage.shows($0)
        }.subtracting(one.hidden + two.hidden).subtracting(left)
        if one.vantage != two.vantage {
            let hidden = Procedure.Kind.allCases.filter { one.vantage.shows($0) != two.vantage.shows($0) }
            limits.append(
                "the first is \(one.vantage.rawValue), the second \(two.vantage.rawValue): not compared are "
                    + hidden.map(\.rawValue).joined(separator: ", "))
        }
        limits += Procedure.Kind.allCases.filter(left.contains).map {
            "\($0.rawValue): a phone leaves it to its controller, whose packets only a sniffer shows"
        }
        if shown.contains(.advertisement), ParityScope.listens(one) != ParityScope.listens(two) {
            shown.remove(.advertisement)
            limits.append("advertisement heard: the host of one of them did not listen for the accessory's")
        }
        limits += (one.gaps + two.gaps).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        let partly = self.one.partlyShown.union(self.two.partlyShown)
        first = ParityScope.entries(one, shown, byLink: !partly.isEmpty)
        second = ParityScope.entries(two, shown, byLink: !partly.isEmpty)
        leaveOutUncounted(on: partly)
        if !partly.isEmpty { limits.append("the pauses on links that are not shown whole") }
    }

    /// Whether one of them does not show all of a link, so that its pauses may be no pauses.
    func isPartlyShown(_ link: Int) -> Bool { one.partlyShown.contains(link) || two.partlyShown.contains(link) }

    /// Whether the first would show such a procedure of the second.
    func firstShows(_ procedure: Procedure) -> Bool { one.shows(procedure) }

    /// Whether the second would show such a procedure of the first.
    func secondShows(_ procedure: Procedure) -> Bool { two.shows(procedure) }

    /// `3 procedures that only the first has, because …: read, write`; nil without procedures.
    static func limit(_ procedures: [Procedure], _ why: String) -> String? {
        guard !procedures.isEmpty else { return nil }
        let kinds = Set(procedures.map(\.kind))
        let names = Procedure.Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: ", ")
        return "\(procedures.count) procedure\(procedures.count == 1 ? "" : "s") that \(why): \(names)"
    }

    /// Whether it hears advertisements: a phone's HCI has them only while its host scans.
    private static func listens(_ conversation: Conversation) -> Bool {
        conversation.vantage != .phoneHost || conversation.procedures.contains { $0.kind == .advertisement }
    }

    /// What a phone's controller does for it.
    private static func left(_ conversation: Conversation) -> Set<Procedure.Kind> {
        conversation.leftToController.filter { kind in
            !conversation.procedures.contains { $0.kind == kind && $0.side == .phone }
        }
    }

    /// - Parameter byLink: Whether each link is counted by itself: if one hides procedures, those of later links would
    ///   otherwise have other numbers.
    private static func entries(
        _ conversation: Conversation, _ shown: Set<Procedure.Kind>, byLink: Bool
    ) -> [Entry] {
        var counts: [Key: Int] = [:]
        return conversation.procedures.filter { shown.contains($0.kind) }.prefix(ConversationParity.most).map {
            var key = Key(kind: $0.kind, side: $0.side, subject: $0.subject, link: byLink ? $0.link : 0)
            // The number of its key without a number is the count.
            let number = counts[key, default: 0]
            counts[key] = number + 1
            key.number = number
            return (key, $0)
        }
    }

    /// Which of several equal procedures it is cannot be told on a link that is shown in part.
    private mutating func leaveOutUncounted(on links: Set<Int>) {
        guard !links.isEmpty else { return }
        let repeated = Set(
            (first + second).filter { $0.key.number > 0 && links.contains($0.key.link) }.map { entry in
                var key = entry.key
                key.number = 0
                return key
            })
        func isRepeated(_ entry: Entry) -> Bool {
            var key = entry.key
            key.number = 0
            return repeated.contains(key)
        }
        let limit = ParityScope.limit(
            (first + second).filter(isRepeated).map(\.procedure),
            "come several times on a link that is not shown whole, so that nothing tells which is which")
        limits += [limit].compactMap { $0 }
        first.removeAll(where: isRepeated)
        second.removeAll(where: isRepeated)
    }
}

extension ParityScope {
    /// What one conversation would show if it had happened.
    private struct Shown {
        /// The links with packets that are not shown.
        let partlyShown: Set<Int>
        private let links: Int
        private let isPartial: Bool
        /// Of which procedures only the handles are known, because their discovery is not in the capture.
        private let unnamed: Set<Procedure.Kind>

        init(_ conversation: Conversation) {
            partlyShown = Set(
                conversation.links.indices.filter { conversation.links[$0].firstUnseen != nil }.map { $0 + 1 })
            (links, isPartial) = (conversation.links.count, conversation.isPartial)
            unnamed = Set(conversation.procedures.filter(\.isUnnamed).map(\.kind))
        }

        func shows(_ procedure: Procedure) -> Bool {
            guard !isPartial, !partlyShown.contains(procedure.link), !procedure.isUnnamed,
                !unnamed.contains(procedure.kind)
            else { return false }
            // A capture that loses a link may miss those after it.
            return procedure.link <= links || partlyShown.isEmpty
        }
    }
}

extension Procedure {
    /// Whether its attribute is known by its handle alone.
    fileprivate var isUnnamed: Bool { subject.hasPrefix("handle ") || subject.hasPrefix("from ") }
}
