/// The differences between two conversations for a person at the terminal.
package struct ConversationParityText {
    private let first, second: Conversation

    package init(_ first: Conversation, _ second: Conversation) { (self.first, self.second) = (first, second) }

    /// Lines without newlines.
    package func lines(_ parity: ConversationParity) -> [String] {
        var lines = [head("first ", first), head("second", second)]
        for sort in ConversationParity.Sort.allCases {
            let differences = parity.differences.filter { $0.sort == sort }
            if differences.isEmpty { continue }
            lines += ["", "\(title(sort)): \(differences.count)"]
            for one in differences {
                lines += ["  \(one.text)  [\(frames(one))]", "    \(one.meaning)"]
            }
        }
        if !parity.limits.isEmpty { lines += [""] + parity.limits.map { "not compared: \($0)" } }
        let end = parity.isSame ? ", and nothing differs" : ", \(parity.differences.count) differences"
        return lines + ["", "\(parity.common) procedures are in both\(end)"]
    }

    private func head(_ word: String, _ one: Conversation) -> String {
        "\(word)  \(one.name): \(one.vantage.rawValue)\(one.interface.isEmpty ? "" : " (\(one.interface))"), phone "
            + "\(one.phones.joined(separator: ", ")), accessory \(one.accessory), \(one.procedures.count) procedures"
    }

    private func title(_ sort: ConversationParity.Sort) -> String {
        switch sort {
        case .value: "other values"
        case .order: "other order"
        case .missing: "only in the first"
        case .more: "only in the second"
        case .later: "later or earlier"
        }
    }

    private func frames(_ one: ConversationParity.Difference) -> String {
        switch (one.firstFrame, one.secondFrame) {
        case (let first?, let second?): "frame \(first), then \(second)"
        case (let first?, nil): "frame \(first) of the first"
        case (nil, let second?): "frame \(second) of the second"
        case (nil, nil): "no frame"
        }
    }
}
