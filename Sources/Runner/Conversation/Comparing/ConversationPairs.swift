/// Which conversations of two captures belong together: one over Bluetooth, and those over the same Wi-Fi networks.
package struct ConversationPairs {
    package private(set) var pairs: [(first: Conversation, second: Conversation)] = []
    /// What is only in one of them, and what to do about it.
    package private(set) var limits: [String] = []

    package init(_ one: [Conversation], _ two: [Conversation]) {
        pairBluetooth(one.filter { $0.vantage != .wifi }, two.filter { $0.vantage != .wifi })
        pairWiFi(one.filter { $0.vantage == .wifi }, two.filter { $0.vantage == .wifi })
    }

    /// Made at the same place if possible.
    private mutating func pairBluetooth(_ one: [Conversation], _ two: [Conversation]) {
        guard let first = one.first, let second = two.first else {
            if one.isEmpty != two.isEmpty {
                limits.append("Bluetooth is only in the \(one.isEmpty ? "second" : "first")")
            }
            return
        }
        for first in one {
            guard let second = two.first(where: { $0.vantage == first.vantage }) else { continue }
            return pairs.append((first, second))
        }
        pairs.append((first, second))
    }

    /// By the name of the network; what is then left over in both, if it is one each.
    private mutating func pairWiFi(_ one: [Conversation], _ two: [Conversation]) {
        var (left, right) = ([Conversation](), two)
        for first in one {
            // The same phone address is the same of several phones on one network.
            let same = right.filter { $0.network == first.network && !first.network.isEmpty }
            let place = (same.first { $0.phones == first.phones } ?? same.first).flatMap { right.firstIndex(of: $0) }
            guard let place else {
                left.append(first)
                continue
            }
            pairs.append((first, right.remove(at: place)))
        }
        if left.count == 1, right.count == 1 { return pairs.append((left.removeFirst(), right.removeFirst())) }
        for (all, word, option) in [(left, "first", "--network"), (right, "second", "--second-network")] {
            guard !all.isEmpty else { continue }
            let list = all.prefix(10).map { "\($0.phones.joined(separator: ", ")) in \($0.peer)" }
            let more = all.count > 10 ? " and \(all.count - 10) more" : ""
            limits.append(
                "Wi-Fi is only in the \(word), or is not known to be the same: \(list.joined(separator: "; "))\(more); "
                    + "choose with \(option)")
        }
    }
}
