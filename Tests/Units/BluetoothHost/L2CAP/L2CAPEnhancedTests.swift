import Testing

@testable import HILBluetoothHost

@Suite("Enhanced credit-based channels")
struct L2CAPEnhancedTests {
    private static let terms = CreditBasedTerms(mtu: 512, mps: 64, credits: 3)
    private static let nothing = CreditBasedTerms(mtu: 0, mps: 0, credits: 0)
    private var pair: L2CAPPair

    init() {
        var enhanced = L2CAPConfiguration()
        enhanced.allowsEnhancedChannels = true
        pair = L2CAPPair(central: enhanced, peripheral: enhanced)
        pair.peripheral.listeners[0x27] = L2CAPLink.Listener(mtu: 256)
    }

    private func request(
        _ sources: [UInt16], psm: UInt16 = 0x27, _ terms: CreditBasedTerms = terms
    ) -> SignalingCommand { .enhancedConnectionRequest(psm: psm, terms: terms, sources: sources) }

    private func answer(_ result: UInt16, _ destinations: [UInt16]) -> SignalingCommand {
        .enhancedConnectionResponse(terms: Self.terms, result: result, destinations: destinations)
    }

    @Test("Without the configuration, they are rejected as unknown")
    mutating func off() {
        var link = L2CAPLink(role: .peripheral, transport: .le)
        link.listeners[0x27] = L2CAPLink.Listener(mtu: 256)
        #expect(link.hear(request([0x40])).commands == [.commandReject(.notUnderstood)])
        let change = SignalingCommand.reconfigureRequest(mtu: 100, mps: 100, channels: [0x40])
        #expect(link.hear(change).commands == [.commandReject(.notUnderstood)])
    }

    @Test("Five channels open with one request, and carry SDUs")
    mutating func open() throws {
        let (ids, outputs) = try pair.central.openEnhanced(psm: 0x27, count: 5, at: .zero)
        pair.pump(outputs, from: .central)
        #expect(pair.centralsChannels == ids && pair.peripheralsChannels.count == 5 && pair.frames == 2)
        pair.pump(try pair.central.send(sdu: [1, 2, 3], on: ids[4]), from: .central)
        #expect(pair.heardByPeripheral.last == .received(pair.peripheralsChannels[4], [1, 2, 3]))
    }

    @Test("A request for all or nothing is refused as a whole")
    mutating func refusedAll() {
        let cases: [(SignalingCommand, UInt16)] = [
            (request([0x40, 0x41], psm: 0x80), 0x0002),
            (request([0x40, 0x41], CreditBasedTerms(mtu: 63, mps: 64, credits: 1)), 0x000B),
            (request([0x40, 0x41], CreditBasedTerms(mtu: 64, mps: 63, credits: 1)), 0x000B),
            (request([0x40, 0x41], CreditBasedTerms(mtu: 64, mps: 64, credits: 0)), 0x000B),
        ]
        for (command, result) in cases {
            let outputs = pair.peripheral.hear(command)
            let response = SignalingCommand.enhancedConnectionResponse(
                terms: Self.nothing, result: result, destinations: [0, 0])
            #expect(outputs.commands == [response] && outputs.events.isEmpty)
        }
        pair.peripheral.listeners[0x27] = L2CAPLink.Listener(mtu: 256, protection: .encrypted)
        let response = SignalingCommand.enhancedConnectionResponse(
            terms: Self.nothing, result: 0x0005, destinations: [0])
        #expect(pair.peripheral.hear(request([0x40])).commands == [response])
    }

    @Test("A request without a channel has invalid parameters")
    mutating func noSource() {
        let response = SignalingCommand.enhancedConnectionResponse(
            terms: Self.nothing, result: 0x000C, destinations: [])
        #expect(pair.peripheral.hear(request([])).commands == [response])
    }

    @Test("Single channels are refused for their Source CID or for want of resources, the others open")
    mutating func refusedSome() {
        let outputs = pair.peripheral.hear(request([0x40, 0x3F, 0x41]))
        #expect(outputs.events.count == 2)
        guard case .enhancedConnectionResponse(_, 0x0009, [0x40, 0, 0x41])? = outputs.commands.first else {
            Issue.record("\(outputs)")
            return
        }
        let twice = pair.peripheral.hear(request([0x41, 0x50, 0x50]))
        guard case .enhancedConnectionResponse(_, 0x000A, [0, 0x42, 0])? = twice.commands.first else {
            Issue.record("\(twice)")
            return
        }
    }

    @Test("Channels beyond the limit are refused for want of resources")
    mutating func limit() throws {
        var configuration = L2CAPConfiguration()
        configuration.allowsEnhancedChannels = true
        configuration.maxChannels = 2
        pair.peripheral = L2CAPLink(role: .peripheral, transport: .le, configuration: configuration)
        pair.peripheral.listeners[0x27] = L2CAPLink.Listener(mtu: 256)
        pair.pump(try pair.central.openEnhanced(psm: 0x27, count: 3, at: .zero).1, from: .central)
        #expect(pair.peripheralsChannels.count == 2 && pair.centralsChannels.count == 2)
        guard case .openFailed(_, let why)? = pair.heardByCentral.last else {
            Issue.record("\(pair.heardByCentral)")
            return
        }
        #expect(why == L2CAPRefusal(.noResources, code: 0x0004))
    }

    @Test("An answer that refuses all opens no channel, whatever channels it names")
    mutating func refusedAllByPeer() throws {
        _ = try pair.central.openEnhanced(psm: 0x27, count: 2, at: .zero)
        let outputs = pair.central.hear(answer(0x0008, [0x40, 0x41]))
        #expect(outputs.events.count == 2 && pair.central.channels.isEmpty)
    }

    @Test("A success with too few, or with the same channel twice, opens only what is sound")
    mutating func unsoundAnswers() throws {
        let (ids, _) = try pair.central.openEnhanced(psm: 0x27, count: 3, at: .zero)
        let outputs = pair.central.hear(answer(0, [0x40, 0x40]))
        #expect(outputs.events.first == .opened(ids[0], psm: 0x27, peerMTU: 512, byPeer: false))
        let reasons = outputs.events.compactMap { if case .openFailed(_, let why) = $0 { why.reason } else { nil } }
        #expect(reasons == [.violation, .violation] && pair.central.channels.count == 1)
    }

    @Test(
        "An answer that promises a later one gets the extended timeout",
        arguments: [0x000D, 0x000E, 0x000F] as [UInt16])
    mutating func pending(result: UInt16) throws {
        let (ids, _) = try pair.central.openEnhanced(psm: 0x27, count: 2, at: .zero)
        #expect(pair.central.hear(answer(result, [0, 0]), at: .seconds(20)).isEmpty)
        #expect(pair.central.deadline == .seconds(80))
        #expect(
            pair.central.advance(to: .seconds(80)) == [
                .timedOut(.enhancedConnection(ids)), .openFailed(ids[0], why: L2CAPRefusal(.noAnswer)),
                .openFailed(ids[1], why: L2CAPRefusal(.noAnswer)),
            ])
    }

    @Test("A Command Reject, as from a peer without them, fails all")
    mutating func commandReject() throws {
        pair.peripheral = L2CAPLink(role: .peripheral, transport: .le)
        pair.pump(try pair.central.openEnhanced(psm: 0x27, count: 2, at: .zero).1, from: .central)
        let refusals = pair.heardByCentral.filter { if case .openFailed = $0 { true } else { false } }
        #expect(refusals.count == 2 && pair.central.channels.isEmpty)
    }

    @Test("The peer may raise its lengths, and lower the MPS of one channel")
    mutating func reconfiguration() throws {
        _ = pair.peripheral.hear(request([0x40, 0x41]))
        let cases: [(UInt16, UInt16, [UInt16], UInt16)] = [
            (600, 100, [0x40, 0x41], 0), (599, 100, [0x40], 1), (600, 99, [0x40, 0x41], 2), (600, 99, [0x40], 0),
            (600, 100, [0x40, 0x55], 3), (600, 100, [0x40, 0x40], 3), (63, 100, [0x40], 4), (600, 63, [0x40], 4),
            (600, 65534, [0x40], 4), (600, 100, [], 4),
        ]
        for (mtu, mps, channels, result) in cases {
            let change = SignalingCommand.reconfigureRequest(mtu: mtu, mps: mps, channels: channels)
            #expect(pair.peripheral.hear(change).commands == [.reconfigureResponse(result: result)])
        }
        let changed = try #require(pair.peripheral.channels[0x40])
        #expect(changed.peerMTU == 600 && changed.sender?.mps == 99)
    }

    @Test("A channel of the older kind keeps its lengths")
    mutating func olderKind() {
        _ = pair.peripheral.hear(.creditBasedConnectionRequest(psm: 0x27, source: 0x40, terms: Self.terms))
        let change = SignalingCommand.reconfigureRequest(mtu: 600, mps: 100, channels: [0x40])
        #expect(pair.peripheral.hear(change).commands == [.reconfigureResponse(result: 3)])
    }

    @Test("A wrong number, port, MTU or link is an error")
    mutating func ownMistakes() {
        #expect(throws: L2CAPError.noFreeChannel(most: 32)) {
            try pair.central.openEnhanced(psm: 0x27, count: 6, at: .zero)
        }
        #expect(throws: L2CAPError.noFreeChannel(most: 32)) {
            try pair.central.openEnhanced(psm: 0x27, count: 0, at: .zero)
        }
        #expect(throws: L2CAPError.invalidPort(0x100)) {
            try pair.central.openEnhanced(psm: 0x100, count: 1, at: .zero)
        }
        #expect(throws: L2CAPError.invalidMTU(63)) {
            try pair.central.openEnhanced(psm: 0x27, count: 1, mtu: 63, at: .zero)
        }
        var classic = L2CAPLink(role: .central, transport: .classic)
        #expect(throws: L2CAPError.wrongTransport) { try classic.openEnhanced(psm: 0x27, count: 1, at: .zero) }
        #expect(pair.central.channels.isEmpty)
    }
}
