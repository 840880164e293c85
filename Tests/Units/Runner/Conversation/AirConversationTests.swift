import Testing

@testable import HILConversation

@Suite("Phones on the air, as sniffers hear them")
struct AirConversationTests {
    private func learn(_ air: AirCapture) -> LearnedPhone { LearnedPhone(air.conversations) }

    private static func line(_ layers: String) -> [UInt8] {
        Array(#"{"layers":{"frame":{"frame_frame_number":"7","frame_frame_time_epoch":"1.5"},\#(layers)}}"#.utf8)
    }

    @Test(
        "The flags of sniffers say whether the check sum is wrong",
        arguments: [
            (#""nordic_ble_raw":"001c00030000020a01112800""#, false),
            (#""nordic_ble_raw":"001c00030000020a00112800""#, true),
            (#""btle_rf_raw":"11d8a600000000001100""#, false), (#""btle_rf_raw":"11d8a600000000001104""#, true),
            (#""btle_rf_raw":"11d8a60000000000110c""#, false),
        ])
    func checkSums(_ layer: String, _ isDamaged: Bool) throws {
        #expect(try CapturedFrame(line: Self.line(layer))?.isDamaged == isDamaged)
    }

    @Test("A packet with a wrong check sum is no fact, and its link is not whole")
    func damaged() throws {
        var air = AirCapture()
        try air.connect(phone: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], interval: 4660, isDamaged: true)
        try air.connect()
        try air.attributes([2, 0xFF, 0xFF], isDamaged: true)
        try air.attributes([2, 15, 2])
        try air.attributes([10, 8, 0])
        try air.end()
        let phone = learn(air)
        #expect(phone.expression("mtu") == "527" && phone.expression("connection")?.contains("30...30") == true)
        #expect(phone.expression("hasPrivateAddress") == "true" && phone.expression("versionMoment") == nil)
        #expect(phone.contradictions.isEmpty)
        #expect(phone.gaps == ["a: 2 packets have a wrong check sum; they are left out"])
    }

    @Test("Noise after LL_ENC_RSP is an encrypted link, also if the sniffer missed LL_START_ENC_REQ")
    func lostStart() throws {
        for isAnswered in [true, false] {
            var air = AirCapture()
            try air.connect()
            try air.control([3] + [UInt8](repeating: 0, count: 22))
            if isAnswered { try air.control([4] + [UInt8](repeating: 0, count: 12), fromPhone: false) }
            try air.control([6, 1, 2, 3, 4])
            try air.control([0x16, 5, 5])
            try air.control([2, 0xDD])
            let phone = learn(air)
            #expect(phone.expression("phys") == nil && !phone.unplayable.contains { $0.text.contains("ends links") })
            #expect(phone.gaps.contains { $0.contains("3 packets are encrypted") }, "\(phone.gaps)")
        }
    }

    @Test("An accessory that cannot encrypt leaves the link readable")
    func rejected() throws {
        var air = AirCapture()
        try air.connect()
        try air.control([3] + [UInt8](repeating: 0, count: 22))
        try air.control([0x0D, 6], fromPhone: false)
        try air.attributes([2, 15, 2])
        #expect(learn(air).expression("mtu") == "527" && learn(air).gaps.isEmpty)
        #expect(air.conversations.first?.all(.encryption).first?["result"]?.hasPrefix("failed: ") == true)
    }

    @Test("An answer to the accessory's version is no habit of the phone")
    func version() throws {
        let version: [UInt8] = [0x0C, 12, 0x4C, 0, 1, 0]
        var air = AirCapture()
        try air.connect()
        try air.control(version, fromPhone: false)
        try air.control(version)
        try air.attributes([10, 8, 0])
        try air.control([3] + [UInt8](repeating: 0, count: 22))
        #expect(learn(air).expression("versionMoment") == nil)
        let all = try #require(air.conversations.first?.all(.version))
        #expect(all.map(\.side) == [.accessory] && all.first?["phone's version"] != nil)
    }

    @Test("An update of the parameters that nobody asked for is the phone's")
    func update() throws {
        let indication: [UInt8] = [0, 2, 5, 0, 24, 0, 0, 0, 200, 0, 20, 0]
        var air = AirCapture()
        try air.connect()
        try air.control(indication)
        #expect(learn(air).expression("settledConnection")?.contains("30...30, latency: 0") == true)
        var asked = AirCapture()
        try asked.connect()
        try asked.control([0x0F] + [24, 0, 24, 0, 0, 0, 200, 0] + [UInt8](repeating: 0, count: 15), fromPhone: false)
        try asked.control(indication)
        #expect(learn(asked).expression("settledConnection") == nil)
    }

    @Test("Packets of two links that are up at once stay on their own")
    func twoLinks() throws {
        let second: [UInt8] = [5, 6, 7, 8]
        var air = AirCapture()
        try air.connect()
        try air.attributes([2, 15, 2])
        try air.connect(phone: [5, 4, 3, 2, 1, 0xD0], second)
        try air.attributes([2, 100, 0], on: second)
        try air.attributes([3, 247, 0], fromPhone: false)
        let conversation = try #require(air.conversations.first)
        #expect(conversation.all(.mtu).map(\.link) == [1, 2])
        #expect(conversation.all(.mtu).map { $0["answered"] } == ["247", nil])
        let one = try #require(conversation.links(of: "d0:01:02:03:04:05"))
        #expect(LearnedPhone([one]).expression("mtu") == "100" && one.phones == ["D0:01:02:03:04:05"])
        #expect(one.all(.mtu).map(\.link) == [1] && conversation.links(of: "00:00:00:00:00:01") == nil)
    }

    @Test("Packets without their sender are told, and nothing follows from them")
    func withoutSender() throws {
        var (silent, whole) = (AirCapture(), AirCapture())
        try silent.connect()
        try whole.connect()
        for (bytes, fromPhone) in [([2, 15, 2], true), ([3, 247, 0], false), ([10, 8, 0], true)] as [([UInt8], Bool)] {
            try silent.attributes(bytes, fromPhone: nil)
            try whole.attributes(bytes, fromPhone: fromPhone)
        }
        let (one, two) = (try #require(silent.conversations.first), try #require(whole.conversations.first))
        #expect(one.links.first?.firstUnseen == 2 && two.links.first?.firstUnseen == nil)
        for parity in [ConversationParity(one, two), ConversationParity(two, one)] {
            #expect(parity.isSame && parity.common == 1)
            #expect(parity.limits.contains { $0.hasPrefix("2 procedures that only the ") }, "\(parity.limits)")
        }
    }
}
