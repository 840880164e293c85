import Testing

@testable import HILCommand
@testable import HILConversation

@Suite("Which phones the links of a capture are of")
struct CapturedPhonesOfLinksTests {
    private typealias Link = Conversation.Link

    private func phones(_ vantage: Conversation.Vantage, _ links: [Link]) -> CapturedPhones {
        var one = Conversation(name: "a", vantage: vantage, interface: "", phones: [], accessory: "A")
        one.links = links
        return CapturedPhones(path: "a.pcap", conversations: [one])
    }

    private let open = Link(phone: "C0:00:00:00:00:01", identity: "C0:00:00:00:00:01")
    private let other = Link(phone: "C0:00:00:00:00:02", identity: "C0:00:00:00:00:02")
    private let hidden = Link(phone: "5A:00:00:00:00:01")
    private let later = Link(phone: "5A:00:00:00:00:02")
    private let resolved = Link(phone: "5A:00:00:00:00:03", identity: "C0:00:00:00:00:01", isResolved: true)

    @Test("Two identities, or an open and a private address, are two phones; private addresses may be one's")
    func several() throws {
        for links in [[open, other], [open, hidden], [resolved, other]] {
            let error = #expect(throws: UsageError.self) { try phones(.air, links).conversations(of: nil) }
            #expect(error?.description.contains("--phone ADDRESS") == true)
            #expect(error?.description.contains("C0:00:00:00:00:01 (1 link)") == true)
        }
        for links in [[open, open], [hidden, later], [hidden, resolved], [open, resolved]] {
            #expect(try phones(.accessoryHost, links).conversations(of: nil).count == 1)
        }
        let told = try phones(.air, [hidden, later]).conversations(of: nil).flatMap(\.gaps)
        #expect(told.count == 1 && told[0].hasPrefix("the links have 2 private addresses"))
        #expect(try phones(.phoneHost, [open, hidden]).conversations(of: nil).count == 1)
    }

    @Test("--phone chooses by the address on the air or the identity, and names the others if it has none")
    func chosen() throws {
        let all = phones(.air, [open, other, resolved])
        #expect(try all.conversations(of: "c0:00:00:00:00:01").first?.links.count == 2)
        #expect(try all.conversations(of: "5A:00:00:00:00:03").first?.links == [resolved])
        let error = #expect(throws: UsageError.self) { try all.conversations(of: "00:00:00:00:00:09") }
        #expect(error?.description.contains("it has links of C0:00:00:00:00:01 (2 links)") == true)
    }
}
