/// The differences between two conversations for a person at the terminal.
package struct ConversationParityText {
    private let pairs: [(first: Conversation, second: Conversation)]

    /// - Parameter pairs: What was compared: over Bluetooth, over Wi-Fi.
    package init(_ pairs: [(first: Conversation, second: Conversation)]) { self.pairs = pairs }

    /// Lines without newlines.
    package func lines(_ parity: ConversationParity) -> [String] {
        var lines = pairs.flatMap { [head("first ", $0.first), head("second", $0.second)] }
        for sort in ConversationParity.Sort.allCases {
            let differences = parity.differences.filter { $0.sort == sort }
            if differences.isEmpty { continue }
            lines += ["", "\(title(sort)): \(differences.count)"]
            for one in differences {
                lines += ["  \(one.text)  [\(frames(one))]", "    \(one.meaning)"]
            }
        }
        if !parity.limits.isEmpty { lines += [""] + parity.limits.map { "not compared: \($0)" } }
        let count = parity.differences.count
        let end = parity.isSame ? ", and nothing differs" : ", \(count) difference\(count == 1 ? "" : "s")"
        return lines + ["", "\(parity.common) procedures are in both\(end)"]
    }

    private func head(_ word: String, _ one: Conversation) -> String {
        "\(word)  \(one.name): \(one.vantage.rawValue)\(one.interface.isEmpty ? "" : " (\(one.interface))"), phone "
            + "\(one.phones.joined(separator: ", ")), \(one.peer), \(one.procedures.count) procedures"
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
