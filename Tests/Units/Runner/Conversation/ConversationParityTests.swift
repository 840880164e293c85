import Testing

@testable import HILConversation

@Suite("Two phones side by side")
struct ConversationParityTests {
    private typealias Kind = Procedure.Kind

    private func conversation(
        _ procedures: [(Kind, String, [String: String])], after delays: [Int: UInt64] = [:],
        _ vantage: Conversation.Vantage = .phoneHost
    ) -> Conversation {
        var time: UInt64 = 0
        var all = Conversation(name: "a", vantage: vantage, interface: "", phones: [], accessory: "")
        for (place, one) in procedures.enumerated() {
            time += delays[place] ?? 1_000_000
            all.procedures.append(
                Procedure(
                    kind: one.0, side: .phone, subject: one.1,
                    values: one.2.sorted { $0.key < $1.key }.map { Procedure.Value(name: $0.key, text: $0.value) },
                    frame: 10 + place, lastFrame: 10 + place, time: time, link: 1))
        }
        return all
    }

    private let usual: [(Kind, String, [String: String])] = [
        (.connection, "", [:]), (.mtu, "", ["offered": "517"]), (.serviceDiscovery, "", [:]), (.read, "2A19", [:]),
        (.subscription, "2A19", ["to": "notifications"]), (.end, "", [:]),
    ]

    @Test("Another value names both, their frames, and what it can mean")
    func value() throws {
        var other = usual
        other[1].2 = ["offered": "527"]
        let parity = ConversationParity(conversation(usual), conversation(other))
        let difference = try #require(parity.differences.first)
        #expect(parity.differences.count == 1 && difference.sort == .value)
        #expect(difference.text == "MTU exchange: offered 517, then 527")
        #expect(difference.firstFrame == 11 && difference.secondFrame == 11 && !difference.meaning.isEmpty)
    }

    @Test("Of what changed its place, the fewest procedures are told")
    func order() {
        var other = usual
        other.swapAt(1, 3)
        other.swapAt(2, 3)
        // Now: connection, read, MTU, discovery, subscription.
        let parity = ConversationParity(conversation(usual), conversation(other))
        #expect(parity.differences.map(\.sort) == [.order] && parity.differences.map(\.kind) == [.read])
    }

    @Test("What only one has is missing, or more")
    func missing() {
        var (one, two) = (usual, usual)
        one.remove(at: 3)
        two.remove(at: 4)
        let parity = ConversationParity(conversation(one), conversation(two))
        #expect(parity.differences.map(\.sort) == [.missing, .more])
        #expect(parity.differences.map(\.kind) == [.subscription, .read] && parity.common == 4)
    }

    @Test("A pause that is twice as long and half a second longer is told, a shorter one is not")
    func later() {
        let slow = conversation(usual, after: [3: 2_000_000_000])
        let parity = ConversationParity(conversation(usual), slow)
        #expect(parity.differences.map(\.sort) == [.later] && parity.differences.map(\.kind) == [.read])
        #expect(ConversationParity(conversation(usual), conversation(usual, after: [3: 400_000_000])).isSame)
    }

    @Test("What a capture cannot show is not missing in it")
    func vantage() {
        let host = conversation(usual + [(.scan, "", [:]), (.phy, "", [:])])
        let board = conversation(usual, .accessoryHost)
        let parity = ConversationParity(host, board)
        #expect(parity.isSame && parity.limits.count == 1)
    }

    @Test("What one capture shows of a link in part is missing in it, but no difference")
    func partly() {
        var one = conversation(Array(usual.prefix(3)))
        one.links = [Conversation.Link(phone: "P")]
        one.links[0].firstUnseen = 13
        let two = conversation(usual)
        for parity in [ConversationParity(one, two), ConversationParity(two, one)] {
            #expect(parity.isSame && parity.common == 3)
            #expect(parity.limits.contains { $0.contains("3 procedures that only the") }, "\(parity.limits)")
        }
        var slow = conversation(usual, after: [2: 2_000_000_000])
        slow.links = one.links
        #expect(ConversationParity(conversation(usual), slow).isSame, "something unseen may be in a pause")
        // What both show is compared.
        var other = usual
        other[1].2 = ["offered": "527"]
        #expect(ConversationParity(one, conversation(other)).differences.map(\.sort) == [.value])
    }

    @Test("A capture that begins in the middle lacks nothing")
    func begun() {
        var one = conversation(Array(usual.prefix(3)))
        one.isPartial = true
        #expect(ConversationParity(one, conversation(usual)).isSame)
        #expect(ConversationParity(conversation(usual), one).isSame)
    }

    @Test("An attribute without its name may be any")
    func unnamed() {
        var other = usual
        other[3].1 = "handle 0x0008"
        let parity = ConversationParity(conversation(usual), conversation(other))
        #expect(parity.isSame && parity.limits.count == 2, "\(parity.limits)")
    }

    @Test("What a phone leaves to its controller is not compared")
    func controller() {
        var one = conversation(usual)
        one.leftToController = [.phy]
        let parity = ConversationParity(one, conversation(usual + [(.phy, "", ["asked for": "2M"])]))
        #expect(parity.isSame && parity.limits.contains { $0.hasPrefix("PHY: ") })
    }
}
