import Testing

@testable import HILAudit

@Suite("What an audit's strangers send to services, and advertise")
struct AttackMessageTests {
    private static let protocols: [AttackMessage] = [.dns, .dhcp, .http, .tls]

    @Test("A seed gives the same messages, of which some are valid and all are short enough", arguments: protocols)
    func seeds(of kind: AttackMessage) {
        let messages = kind.bytes(400, seed: 7)
        #expect(messages == kind.bytes(400, seed: 7) && messages != kind.bytes(400, seed: 8))
        #expect(messages.prefix(50) == kind.bytes(50, seed: 7)[...])
        #expect(messages.allSatisfy { $0.count <= 2000 } && messages.contains { $0.count > 500 })
        #expect(Set(messages).count > 300)
    }

    @Test("A port gets the protocol that it mostly has")
    func ports() {
        let kinds: [(UInt16, AttackMessage)] = [(53, .dns), (5353, .dns), (67, .dhcp), (443, .tls), (80, .http)]
        for (port, kind) in kinds {
            #expect(AttackMessage(ofPort: port).bytes(20, seed: 1) == kind.bytes(20, seed: 1), "\(port)")
        }
        let requests = AttackMessage.http.bytes(200, seed: 1).map { String(decoding: $0, as: UTF8.self) }
        #expect(requests.contains { $0.hasPrefix("GET / HTTP/1.1\r\nHost: ") && $0.hasSuffix("\r\n\r\n") })
    }

    @Test("Advertisements fit into their packets, and some of their fields end behind them")
    func advertisements() {
        let contents = AttackAdvertisement.contents(600, seed: 3)
        #expect(contents == AttackAdvertisement.contents(600, seed: 3))
        #expect(contents.enumerated().allSatisfy { $1.count <= ($0.isMultiple(of: 2) ? 31 : 251) })
        let ends = contents.map { content in
            var place = 0
            while place < content.count, content[place] > 0 { place += 1 + Int(content[place]) }
            return place - content.count
        }
        #expect(ends.count { $0 > 0 } > 100 && ends.count { $0 == 0 } > 100)
    }
}
