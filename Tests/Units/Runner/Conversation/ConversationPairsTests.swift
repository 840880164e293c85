import Testing

@testable import HILConversation

@Suite("Which conversations of two captures belong together")
struct ConversationPairsTests {
    private func conversation(
        _ vantage: Conversation.Vantage, network: String = "", phone: String = "P"
    ) -> Conversation {
        var one = Conversation(name: "a", vantage: vantage, interface: "", phones: [phone], accessory: "A")
        one.network = network
        return one
    }

    @Test("Bluetooth goes with Bluetooth from the same place, and Wi-Fi with the network of the same name")
    func same() {
        let found = ConversationPairs(
            [conversation(.phoneHost), conversation(.accessoryHost), conversation(.wifi, network: "Lamp")],
            [conversation(.accessoryHost), conversation(.wifi, network: "Home"), conversation(.wifi, network: "Lamp")])
        #expect(found.pairs.map { $0.second.vantage } == [.accessoryHost, .wifi])
        #expect(found.pairs.last?.second.network == "Lamp")
        #expect(found.limits.count == 1 && found.limits[0].hasPrefix("Wi-Fi is only in the second"))
    }

    @Test("One network of each, with other names, is the same; of several a person must choose")
    func others() {
        let one = ConversationPairs([conversation(.wifi, network: "Lamp")], [conversation(.wifi, network: "Lamp 8")])
        #expect(one.pairs.count == 1 && one.limits.isEmpty)
        let several = ConversationPairs(
            [conversation(.wifi, network: "Lamp")],
            [conversation(.wifi, network: "Lamp 8"), conversation(.wifi, network: "Lamp 9")])
        #expect(several.pairs.isEmpty && several.limits.count == 2 && several.limits[0].contains("--network"))
    }

    @Test("What only one capture has is told")
    func onlyOne() {
        let found = ConversationPairs([conversation(.phoneHost)], [conversation(.wifi, network: "Lamp")])
        #expect(found.pairs.isEmpty)
        #expect(found.limits.contains("Bluetooth is only in the first"))
    }
}
