import Testing

@testable import HILConversation

@Suite("What links show of a phone's habits, and what they do not")
struct LearnedHabitsTests {
    private func learn(_ captures: HCICapture...) -> LearnedPhone { LearnedPhone(captures.flatMap(\.conversations)) }

    @Test("What a phone did on the link of its pairing is not “never” because its next link has no need of it")
    func secondLink() throws {
        var capture = HCICapture()
        try capture.connect(1)
        try capture.exchangeMTU(1)
        try capture.pair(1)
        try capture.read(1)
        try capture.end(1)
        try capture.connect(2)
        try capture.encrypt(2)
        try capture.read(2)
        try capture.end(2)
        let phone = learn(capture)
        #expect(phone.expression("mtu") == "527" && phone.expression("mtuMoment") == nil)
        #expect(phone.isMissing("when it exchanges the MTU") && phone.contradictions.isEmpty)
        // The link before the pairing, whole and without a bond.
        #expect(phone.expression("versionMoment") == ".never" && phone.frame("versionMoment") == 1)
    }

    @Test("A link whose end is not shown says “never” of nothing")
    func withoutEnd() throws {
        var capture = HCICapture()
        try capture.connect(1)
        try capture.read(1)
        #expect(learn(capture).expression("mtuMoment") == nil)
        try capture.end(1)
        #expect(learn(capture).expression("mtuMoment") == ".never")
    }

    @Test("If one capture shows what another never does, neither is believed, and both frames are named")
    func contradiction() throws {
        var (one, two) = (HCICapture("one"), HCICapture("two"))
        try one.connect(1)
        try one.exchangeMTU(1)
        try one.read(1)
        try one.end(1)
        try two.connect(1)
        try two.read(1)
        try two.end(1)
        let phone = learn(one, two)
        #expect(phone.expression("mtuMoment") == nil)
        let text = try #require(phone.contradictions.first { $0.hasPrefix("when it exchanges the MTU") })
        #expect(text.contains("(frame 3 of one)") && text.contains("(frame 1 of two); none is kept"))
    }

    @Test("What a host leaves to its controller is not shown", arguments: [0x2024, 0x2031] as [UInt16])
    func defaults(_ opcode: UInt16) throws {
        var capture = HCICapture()
        try capture.command(opcode, opcode == 0x2024 ? [251, 0, 0x48, 8] : [0, 2, 2])
        try capture.connect(1)
        try capture.read(1)
        try capture.end(1)
        let phone = learn(capture)
        let (left, other) = opcode == 0x2024 ? ("dataLengthMoment", "phyMoment") : ("phyMoment", "dataLengthMoment")
        #expect(phone.expression(left) == nil && phone.expression(other) == ".never")
        #expect(
            phone.missing.contains {
                $0.hasSuffix("the phone leaves it to its controller; a sniffer shows what that does")
            })
    }

    @Test("A change of the data length that the host did not ask for is its controller's, or the accessory's")
    func unasked() throws {
        var capture = HCICapture()
        try capture.connect(1)
        try capture.event(0x3E, [7, 1, 0, 251, 0, 0x48, 8, 251, 0, 0x48, 8])
        try capture.read(1)
        try capture.end(1)
        #expect(learn(capture).expression("dataLengthMoment") == nil)
        #expect(learn(capture).expression("phyMoment") == ".never")
    }

    @Test("A phone that others connect to in the meantime still has its own request")
    func bothRoles() throws {
        var capture = HCICapture()
        try capture.request()
        try capture.connected(2, role: 1, peer: [9, 0, 0, 0, 0, 0xDD])
        try capture.connected(1)
        try capture.read(1)
        let phone = LearnedPhone(capture.conversations.filter { $0.vantage == .phoneHost })
        #expect(phone.frame("connection") == 1 && phone.frame("connectionScan") == 1)
    }

    @Test("A random address from before the capture is not the public one")
    func address() throws {
        var capture = HCICapture()
        try capture.event(0x0E, [1, 9, 0x10, 0, 0xEE, 0xDD, 0xCC, 0xBB, 0xAA, 0x40])
        try capture.request(ownAddress: 1)
        try capture.connected(1)
        #expect(learn(capture).expression("hasPrivateAddress") == nil)
        try capture.end(1)
        try capture.request(ownAddress: 0)
        try capture.connected(1)
        #expect(learn(capture).expression("hasPrivateAddress") == "false")
    }

    @Test("Classic links beside, and what comes late on a link, hide nothing")
    func classic() throws {
        var capture = HCICapture()
        try capture.event(3, [0, 12, 0, 0x55, 0x44, 0x33, 0x22, 0x11, 0, 1, 0])
        try capture.data(12, channel: 1, [2, 1, 4, 0, 1, 0, 0x40, 0])
        // Its Connection Complete is not in the capture, but its signalling channel is.
        try capture.data(13, channel: 0x41, [1])
        try capture.data(13, channel: 1, [2, 1, 4, 0, 1, 0, 0x40, 0])
        try capture.connect(1)
        try capture.read(1)
        try capture.data(12, channel: 0x40, [1])
        try capture.end(1)
        try capture.data(1, channel: 4, [10, 8, 0])
        let conversation = try #require(capture.conversations.first)
        #expect(!conversation.isPartial && conversation.gaps.isEmpty, "\(conversation.gaps)")
        #expect(learn(capture).expression("versionMoment") == ".never")
    }

    @Test("A link that began before the capture is reported, and the next link is whole")
    func earlier() throws {
        var capture = HCICapture()
        try capture.read(9)
        try capture.connect(1)
        try capture.read(1)
        try capture.end(1)
        let conversation = try #require(capture.conversations.first)
        #expect(conversation.isPartial)
        #expect(
            conversation.gaps == ["2 packets belong to links that were up before the capture began; they are left out"])
        #expect(learn(capture).expression("versionMoment") == ".never")
    }

    @Test("Many malformed packets are one line, and thousands of links take seconds", .timeLimit(.minutes(1)))
    func many() throws {
        var capture = HCICapture()
        for _ in 0..<3000 {
            try capture.connect(1)
            try capture.encrypt(1)
            try capture.exchangeMTU(1)
            try capture.read(1)
            try capture.end(1)
        }
        try capture.connect(1)
        for _ in 0..<20_000 { try capture.data(1, channel: 4, [2]) }
        let phone = learn(capture)
        #expect(phone.expression("mtuMoment") == ".encrypted")
        #expect(phone.gaps.count == 1)
        #expect(phone.gaps.first?.hasPrefix("a: 20000 frames have a PDU of the attribute protocol") == true)
    }
}
