import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("Channels of a classic link")
struct L2CAPClassicTests {
    private var pair = L2CAPPair(.classic)
    private var link = L2CAPLink(role: .central, transport: .classic)

    init() { pair.peripheral.listeners[0x19] = L2CAPLink.Listener(mtu: 1000) }

    private func connected(_ result: UInt16 = 0, source: UInt16 = 0x40) -> SignalingCommand {
        .connectionResponse(destination: result == 0 ? 0x70 : 0, source: source, result: result, status: 0)
    }

    @Test("Two ends connect, configure both ways, exchange SDUs and disconnect")
    mutating func life() throws {
        let (id, outputs) = try pair.central.open(psm: 0x19, mtu: 500, at: .zero)
        pair.pump(outputs, from: .central)
        #expect(pair.heardByCentral == [.opened(id, psm: 0x19, peerMTU: 1000, byPeer: false)])
        let other = try #require(pair.peripheralsChannels.first)
        #expect(pair.heardByPeripheral == [.opened(other, psm: 0x19, peerMTU: 500, byPeer: true)])
        #expect(pair.central.deadline == nil && pair.peripheral.deadline == nil)

        let sdu = [UInt8](repeating: 5, count: 1000)
        pair.pump(try pair.central.send(sdu: sdu, on: id), from: .central)
        pair.pump(try pair.peripheral.send(sdu: [1], on: other), from: .peripheral)
        #expect(pair.received(by: .peripheral) == [sdu] && pair.received(by: .central) == [[1]])
        #expect(pair.heardByCentral.contains(.sent(id)))
        #expect(pair.peripheral.consumed(on: other).isEmpty)
        #expect(throws: L2CAPError.tooLong(length: 501, most: 500)) {
            try pair.peripheral.send(sdu: [UInt8](repeating: 0, count: 501), on: other)
        }

        pair.pump(pair.peripheral.close(other, at: .zero), from: .peripheral)
        #expect(pair.heardByCentral.last == .closed(id, byPeer: true, why: .requested))
        #expect(pair.heardByPeripheral.last == .closed(other, byPeer: false, why: .requested))
        #expect(pair.central.channels.isEmpty && pair.peripheral.channels.isEmpty)
    }

    @Test(
        "A refusal has the meaning of its code",
        arguments: [
            (0x0002, .portNotSupported), (0x0003, .securityBlock), (0x0004, .noResources), (0x0006, .invalidSource),
            (0x0007, .sourceInUse), (0x0005, .unknownResult),
        ] as [(UInt16, L2CAPRefusal.Reason)])
    mutating func refusal(code: UInt16, reason: L2CAPRefusal.Reason) throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        #expect(link.hear(connected(code)) == [.openFailed(id, why: L2CAPRefusal(reason, code: code))])
        #expect(link.channels.isEmpty)
    }

    @Test("A pending connection gets the extended timeout")
    mutating func pendingConnection() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        #expect(link.hear(connected(1), at: .seconds(29)).isEmpty)
        #expect(link.advance(to: .seconds(88)).isEmpty)
        #expect(
            link.advance(to: .seconds(89)) == [
                .timedOut(.connection(id)), .openFailed(id, why: L2CAPRefusal(.noAnswer)),
            ])
    }

    @Test("An answer for another channel is not the answer")
    mutating func otherSource() throws {
        _ = try link.open(psm: 0x19, at: .zero)
        #expect(link.hear(connected(source: 0x41)).events.isEmpty)
        #expect(link.hear(connected()).commands.count == 1)
    }

    @Test("A destination that the peer cannot have fails")
    mutating func invalidDestination() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        let outputs = link.hear(.connectionResponse(destination: 0x3F, source: 0x40, result: 0, status: 0))
        guard case .openFailed(id, let why)? = outputs.first else {
            Issue.record("\(outputs)")
            return
        }
        #expect(why.reason == .violation && outputs.count == 1)
    }

    @Test("What the link's security lacks is a security block")
    mutating func security() {
        link.listeners[0x11] = L2CAPLink.Listener(mtu: 672, protection: .encrypted)
        let request = SignalingCommand.connectionRequest(psm: 0x11, source: 0x40)
        let block = SignalingCommand.connectionResponse(destination: 0, source: 0x40, result: 3, status: 0)
        #expect(link.hear(request).commands == [block])
        link.security = LinkSecurity(isEncrypted: true, isAuthenticated: false, isSecureConnections: false, keySize: 16)
        #expect(link.hear(request).commands.count == 2)
    }

    @Test("A request is refused for its port, its Source CID or the number of channels")
    mutating func refusals() {
        var configuration = L2CAPConfiguration()
        configuration.maxChannels = 1
        link = L2CAPLink(role: .central, transport: .classic, configuration: configuration)
        link.listeners[0x19] = L2CAPLink.Listener(mtu: 672)
        let cases: [(UInt16, UInt16, UInt16)] = [
            (0x1B, 0x40, 2), (0x19, 0x3F, 6), (0x19, 0x40, 0), (0x19, 0x40, 7), (0x19, 0x41, 4),
        ]
        for (psm, source, expected) in cases {
            let outputs = link.hear(.connectionRequest(psm: psm, source: source))
            guard case .connectionResponse(_, source, expected, _)? = outputs.commands.first else {
                Issue.record("\(outputs) for result \(expected)")
                continue
            }
        }
    }

    @Test("The peer may give up a channel before it is open, and so may this end")
    mutating func givenUp() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        _ = link.hear(connected())
        var other = link
        let outputs = link.hear(.disconnectionRequest(destination: 0x40, source: 0x70), identifier: 9)
        #expect(outputs.events == [.openFailed(id, why: L2CAPRefusal(.closedByPeer))])
        #expect(link.channels.isEmpty && link.deadline == nil)
        let cancelled = other.close(id, at: .zero)
        #expect(cancelled.commands == [.disconnectionRequest(destination: 0x70, source: 0x40)])
        #expect(cancelled.events == [.openFailed(id, why: L2CAPRefusal(.cancelled))])
    }

    @Test("A channel that the peer wanted and that does not open is told in a note only")
    mutating func peersChannelFails() {
        link.listeners[0x19] = L2CAPLink.Listener(mtu: 672)
        _ = link.hear(.connectionRequest(psm: 0x19, source: 0x70))
        let outputs = link.hear(.disconnectionRequest(destination: 0x40, source: 0x70), identifier: 9)
        #expect(outputs.events.isEmpty && outputs.hasNote && link.channels.isEmpty)
    }

    @Test("An abandoned attempt is closed when the peer accepts it")
    mutating func abandoned() throws {
        let (id, _) = try link.open(psm: 0x19, at: .zero)
        #expect(link.close(id, at: .zero) == [.openFailed(id, why: L2CAPRefusal(.cancelled))])
        #expect(link.hear(connected()).commands == [.disconnectionRequest(destination: 0x70, source: 0x40)])
    }

    @Test("Echo and information requests are answered")
    mutating func answers() {
        #expect(link.hear(.echoRequest([1, 2]), identifier: 5).commands == [.echoResponse([1, 2])])
        #expect(link.hear(.informationRequest(.features)).commands == [.informationResponse(.features, value: 0x80)])
        #expect(
            link.hear(.informationRequest(.fixedChannels)).commands
                == [.informationResponse(.fixedChannels, value: 0x82)])
        for type in [.connectionlessMTU, InformationType(rawValue: 9)] {
            #expect(link.hear(.informationRequest(type)).commands == [.informationResponse(type, value: nil)])
        }
    }

    @Test("The peer's features are asked for, and its silence is told")
    mutating func information() throws {
        pair.pump(try pair.central.requestInformation(.fixedChannels, at: .zero), from: .central)
        #expect(pair.heardByCentral == [.peerInformation(.fixedChannels, value: 0x82)])
        _ = try link.requestInformation(.features, at: .zero)
        #expect(throws: L2CAPError.unanswered) { try link.requestInformation(.features, at: .zero) }
        #expect(link.hear(.informationResponse(.fixedChannels, value: 1)).events.isEmpty)
        #expect(link.advance(to: .seconds(30)) == [.timedOut(.information(.features))])
        let request = try link.requestInformation(.features, at: .seconds(31))
        let identifier = request.packets.first?.identifier ?? 0
        let reject = link.hear(.commandReject(.notUnderstood), identifier: identifier)
        #expect(reject == [.peerInformation(.features, value: nil)])
    }

    @Test("A PSM has an odd low byte and an even high byte", arguments: [0x0000, 0x0018, 0x0101] as [UInt16])
    mutating func invalidPort(psm: UInt16) {
        #expect(throws: L2CAPError.invalidPort(psm)) { try link.open(psm: psm, at: .zero) }
        #expect(throws: L2CAPError.invalidMTU(47)) { try link.open(psm: 0x1001, mtu: 47, at: .zero) }
    }
}
