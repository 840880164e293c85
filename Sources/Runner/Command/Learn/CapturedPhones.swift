import HILConversation

/// The phones in the links of a capture to one accessory.
///
/// A private address changes, so that it tells no phones apart: links with several are taken as one phone's.
struct CapturedPhones {
    let path: String
    /// Over Bluetooth, the most telling first.
    let conversations: [Conversation]

    /// The conversations of one phone.
    ///
    /// - Parameter phone: One of its addresses; nil for the only phone.
    /// - Throws: ``UsageError`` if there are several, or no such phone.
    func conversations(of phone: String?) throws(UsageError) -> [Conversation] {
        guard let phone else {
            // A phone's own HCI has one phone.
            guard conversations.first?.vantage != .phoneHost else { return conversations }
            guard areSeveral else { return conversations.map(tellingPrivateAddresses) }
            throw UsageError(
                description: "\(path) has links of several phones: \(list): choose one with --phone ADDRESS")
        }
        let chosen = conversations.compactMap { $0.links(of: phone) }
        guard chosen.isEmpty else { return chosen }
        throw UsageError(description: "\(path) has no link of the phone \(phone); it has links of \(list)")
    }

    private func tellingPrivateAddresses(_ conversation: Conversation) -> Conversation {
        let addresses = Set(conversation.links.filter { $0.identity == nil }.map(\.phone))
        guard addresses.count > 1 else { return conversation }
        var told = conversation
        told.gaps.append(
            "the links have \(addresses.count) private addresses, which are taken as those of one phone; --phone ADDRESS "
                + "chooses the links with one")
        return told
    }

    /// Whether the links are certainly of several phones: an identity is one phone's, and a phone that uses its identity
    /// on the air has no private address.
    private var areSeveral: Bool {
        let links = conversations.filter { $0.vantage == conversations.first?.vantage }.flatMap(\.links)
        let identities = Set(links.compactMap(\.identity))
        let isOpen = links.contains { $0.identity != nil && !$0.isResolved }
        let isPrivate = links.contains { $0.identity == nil }
        return identities.count > 1 || isOpen && isPrivate
    }

    private var list: String {
        var counts: [String: Int] = [:]
        var addresses: [String] = []
        for link in conversations.flatMap(\.links) {
            let address = link.identity ?? link.phone
            if counts.updateValue(counts[address, default: 0] + 1, forKey: address) == nil { addresses.append(address) }
        }
        let more = addresses.count > 10 ? " and \(addresses.count - 10) more" : ""
        return addresses.prefix(10).map { "\($0) (\(counts[$0] == 1 ? "1 link" : "\(counts[$0] ?? 0) links"))" }
            .joined(separator: ", ") + more
    }
}
