import Testing

@testable import HILConversation

@Suite("Procedures of Wi-Fi, from frames")
struct WiFiConversationTests {
    private static let station: [UInt8] = [2, 0, 0, 0, 1, 0]
    private static let point: [UInt8] = [2, 0, 0, 0, 2, 0]
    private static let everyone = [UInt8](repeating: 0xFF, count: 6)

    private static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

    /// Takes frames one after the other, a millisecond apart.
    private struct Air {
        var reader = ConversationReader(name: "a")
        var count = 0

        private mutating func take(_ header: [UInt8], _ body: WiFiPacket.Body) throws {
            count += 1
            var frame = CapturedFrame(number: count, time: UInt64(count) * 1_000_000)
            let number: [UInt8] = [UInt8(count & 0xF) << 4, UInt8(count >> 4 & 0xFF)]
            frame.contents = [.wifi(WiFiPacket(header: WiFiConversationTests.joined(header, number), body: body))]
            try reader.take(frame)
        }

        mutating func management(
            _ subtype: UInt8, byStation: Bool, _ body: [UInt8], to receiver: [UInt8]? = nil
        ) throws {
            let (sender, other) =
                byStation
                ? (WiFiConversationTests.station, WiFiConversationTests.point)
                : (WiFiConversationTests.point, WiFiConversationTests.station)
            try take(
                WiFiConversationTests.joined(
                    [subtype << 4, 0, 0, 0], receiver ?? other, sender, WiFiConversationTests.point), .management(body))
        }

        mutating func data(byStation: Bool, _ body: WiFiPacket.Body, to receiver: [UInt8]? = nil) throws {
            let header =
                byStation
                ? WiFiConversationTests.joined(
                    [8, 1, 0, 0], WiFiConversationTests.point, WiFiConversationTests.station,
                    receiver ?? WiFiConversationTests.point)
                : WiFiConversationTests.joined(
                    [8, 2, 0, 0], receiver ?? WiFiConversationTests.station, WiFiConversationTests.point,
                    WiFiConversationTests.point)
            try take(header, body)
        }

        mutating func join() throws {
            try management(11, byStation: true, [0, 0, 1, 0, 0, 0])
            try management(11, byStation: false, [0, 0, 2, 0, 0, 0])
            try management(0, byStation: true, WiFiConversationTests.joined([1, 0, 5, 0, 0, 4], Array("Lamp".utf8)))
            try management(1, byStation: false, [1, 0, 0, 0, 1, 0xC0])
        }

        /// A message of the 4-way handshake.
        mutating func key(byStation: Bool, _ flags: [UInt8], data: Int) throws {
            let zeros = [UInt8](repeating: 0, count: 90)
            let bytes = WiFiConversationTests.joined(
                [2, 3, 0, 0, 2], flags, zeros, [0, UInt8(data)], Array(zeros.prefix(data)))
            try self.data(byStation: byStation, .eapol(bytes))
        }

        var conversation: Conversation {
            get throws { try #require(reader.conversations.first) }
        }
    }

    @Test("A probe for another network is no part of the conversation, and a name in two probes is one procedure")
    func probes() throws {
        var air = Air()
        for name in ["", "Lamp", "Office", "Lamp"] {
            try air.management(
                4, byStation: true, Self.joined([0, UInt8(name.utf8.count)], Array(name.utf8)), to: Self.everyone)
        }
        try air.join()
        let probes = try air.conversation.all(.probe)
        #expect(probes.map(\.subject) == ["any network", "by name"])
        #expect(probes.map(\.frame) == [1, 2] && probes.map(\.lastFrame) == [1, 4])
    }

    @Test("A wrong passphrase ends the handshake after message 2, and the access point's reason is told")
    func wrongPassphrase() throws {
        var air = Air()
        try air.join()
        for _ in 1...3 {
            try air.key(byStation: false, [0x00, 0x8A], data: 0)
            try air.key(byStation: true, [0x01, 0x0A], data: 22)
        }
        try air.management(12, byStation: false, [15, 0])
        try air.join()
        let one = try air.conversation
        #expect(one.all(.handshake).map { $0["result"] } == ["ends after message 2"])
        let end = try #require(one.all(.leaving).first)
        #expect(end.side == .accessory && end["reason"] == "4-way handshake timed out (15)")
        #expect(one.all(.authentication).map(\.link) == [1, 2] && one.network == "Lamp")
        #expect(one.gaps.count == 1, "no data frame is readable")
    }

    @Test("SAE: a token and a refused group belong to one authentication, a refusal ends it")
    func sae() throws {
        var air = Air()
        try air.management(11, byStation: true, [3, 0, 1, 0, 0, 0, 20, 0])
        try air.management(11, byStation: false, [3, 0, 1, 0, 77, 0, 20, 0])
        try air.management(11, byStation: true, [3, 0, 1, 0, 126, 0, 19, 0])
        try air.management(11, byStation: false, [3, 0, 1, 0, 76, 0, 19, 0])
        try air.management(11, byStation: true, [3, 0, 1, 0, 126, 0, 19, 0])
        try air.management(11, byStation: false, [3, 0, 1, 0, 126, 0, 19, 0])
        try air.management(11, byStation: true, [3, 0, 2, 0, 0, 0])
        try air.management(11, byStation: false, [3, 0, 2, 0, 1, 0])
        let all = try air.conversation.all(.authentication)
        let one = try #require(all.first)
        #expect(all.count == 1 && one.lastFrame == 8)
        #expect(one["groups"] == "20, 19" && one["form"] == "hash to element" && one["token"] == "asked for")
        #expect(one["result"] == "refused (status 1)")
    }

    @Test("An answer of DHCP for all is that of the station inside, and not of a neighbour")
    func broadcastLease() throws {
        func message(_ operation: UInt8, _ kind: UInt8, _ exchange: UInt8, for address: [UInt8]) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: 202)
            return Self.joined(
                [operation, 1, 6, 0, 0, 0, 0, exchange], Array(zeros.prefix(20)), address, zeros,
                [0x63, 0x82, 0x53, 0x63, 53, 1, kind, 255])
        }
        var air = Air()
        try air.join()
        try air.data(byStation: true, .dhcp(message(1, 3, 1, for: Self.station)), to: Self.everyone)
        // The access point passes the question on, and answers a neighbour.
        try air.data(byStation: false, .dhcp(message(1, 3, 1, for: Self.station)), to: Self.everyone)
        try air.data(byStation: false, .dhcp(message(2, 6, 1, for: [2, 0, 0, 0, 3, 0])), to: Self.everyone)
        #expect(try air.conversation.all(.addressLease).map { $0["result"] } == [nil])
        try air.data(byStation: false, .dhcp(message(2, 5, 1, for: Self.station)), to: Self.everyone)
        let lease = try #require(try air.conversation.all(.addressLease).first)
        #expect(lease["begins with"] == "Request" && lease["result"] == "Ack" && lease.lastFrame == 8)
    }

    @Test("Only the first requests of a link are taken, and the capture says so")
    func manyRequests() throws {
        var air = Air()
        try air.join()
        for port in 1...300 {
            let bytes = [UInt8(port >> 8), UInt8(port & 0xFF), 0, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0x50, 2]
            try air.data(byStation: true, .tcp(bytes))
        }
        let one = try air.conversation
        #expect(one.all(.connectionToPort).count == 200)
        #expect(one.gaps == ["only the first 200 requests of a Wi-Fi link are compared"])
    }
}
