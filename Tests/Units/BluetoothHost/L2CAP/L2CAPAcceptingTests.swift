import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Channels that the peer opens")
struct L2CAPAcceptingTests {
    private static let terms = CreditBasedTerms(mtu: 512, mps: 64, credits: 3)
    private var link = L2CAPLink(role: .peripheral, transport: .le)

    private func request(
        _ psm: UInt16 = 0x80, from source: UInt16 = 0x40, _ terms: CreditBasedTerms = terms
    ) -> SignalingCommand { .creditBasedConnectionRequest(psm: psm, source: source, terms: terms) }

    private func refused(_ result: UInt16) -> [SignalingCommand] {
        let nothing = CreditBasedTerms(mtu: 0, mps: 0, credits: 0)
        return [.creditBasedConnectionResponse(destination: 0, terms: nothing, result: result)]
    }

    @Test("A channel to a listener is open at once", .shows("L2CAP/LE/CFC/BV-03-C"))
    mutating func success() throws {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        let outputs = link.hear(request())
        let own = CreditBasedTerms(mtu: 1000, mps: 247, credits: 10)
        #expect(outputs.commands == [.creditBasedConnectionResponse(destination: 0x40, terms: own, result: 0)])
        let channel = try #require(link.channels[0x40]?.id)
        #expect(outputs.events == [.opened(channel, psm: 0x80, peerMTU: 512, byPeer: true)])
    }

    @Test("A port without a listener is refused", .shows("L2CAP/LE/CFC/BV-05-C", "L2CAP/LE/CFC/BV-22-C"))
    mutating func noListener() {
        link.listeners[0x81] = L2CAPLink.Listener(mtu: 1000)
        let outputs = link.hear(request())
        #expect(outputs.commands == refused(0x0002) && outputs.events.isEmpty && outputs.hasNote)
    }

    @Test(
        "A plain link is refused by whether there is a key", .shows("L2CAP/LE/CFC/BV-11-C", "L2CAP/LE/CFC/BV-25-C"),
        arguments: [(false, 0x0005), (true, 0x0008)])
    mutating func plainLink(hasKey: Bool, result: UInt16) {
        link.hasKey = hasKey
        for protection in LinkProtection.allCases.dropFirst() {
            link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: protection)
            #expect(link.hear(request()).commands == refused(result))
        }
    }

    @Test("A key of an unauthenticated or a legacy pairing is refused where more is needed")
    mutating func weakKey() {
        link.security = LinkSecurity(isEncrypted: true, isAuthenticated: false, isSecureConnections: true, keySize: 16)
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: .authenticated)
        #expect(link.hear(request()).commands == refused(0x0005))
        link.security = LinkSecurity(isEncrypted: true, isAuthenticated: true, isSecureConnections: false, keySize: 16)
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: .secureConnections)
        #expect(link.hear(request()).commands == refused(0x0005))
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: .authenticated)
        #expect(link.hear(request()).events.count == 1)
    }

    @Test("A short key is refused, but only where the link must be encrypted", .shows("L2CAP/LE/CFC/BV-15-C"))
    mutating func shortKey() {
        link.security = LinkSecurity(isEncrypted: true, isAuthenticated: true, isSecureConnections: true, keySize: 15)
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: .encrypted, minimumKeySize: 16)
        #expect(link.hear(request()).commands == refused(0x0007))
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, protection: .none, minimumKeySize: 16)
        #expect(link.hear(request()).events.count == 1)
    }

    @Test("A peer that may not use the listener is refused", .shows("L2CAP/LE/CFC/BV-13-C"))
    mutating func unauthorized() {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000, isAuthorized: false)
        #expect(link.hear(request()).commands == refused(0x0006))
    }

    @Test("A Source CID outside 0x0040 to 0x007F is invalid", arguments: [0x0000, 0x003F, 0x0080] as [UInt16])
    mutating func invalidSource(source: UInt16) {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        #expect(link.hear(request(from: source)).commands == refused(0x0009))
    }

    @Test(
        "A Source CID in use is refused, also that of a channel which this end opened", .shows("L2CAP/LE/CFC/BV-20-C"))
    mutating func sourceInUse() throws {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        _ = link.hear(request(from: 0x40))
        #expect(link.hear(request(from: 0x40)).commands == refused(0x000A))
        _ = try link.open(psm: 0x81, at: .zero)
        _ = link.hear(.creditBasedConnectionResponse(destination: 0x41, terms: Self.terms, result: 0))
        #expect(link.hear(request(from: 0x41)).commands == refused(0x000A))
    }

    @Test("Forbidden lengths are unacceptable", arguments: [(22, 64), (23, 22), (23, 65534)] as [(UInt16, UInt16)])
    mutating func forbiddenLengths(mtu: UInt16, mps: UInt16) {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        let terms = CreditBasedTerms(mtu: mtu, mps: mps, credits: 1)
        #expect(link.hear(request(0x80, from: 0x40, terms)).commands == refused(0x000B))
    }

    @Test(
        "A peer gets as many channels as the configuration allows, and then no resources",
        .shows("L2CAP/LE/CFC/BV-17-C"))
    mutating func limit() {
        link.listeners[0x80] = L2CAPLink.Listener(mtu: 1000)
        for source in 0x40..<0x60 { #expect(link.hear(request(from: UInt16(source))).events.count == 1) }
        #expect(link.hear(request(from: 0x60)).commands == refused(0x0004))
        #expect(link.channels.count == 32)
    }

    @Test("Two ends may open a channel to the same port at the same time")
    func crossing() throws {
        var pair = L2CAPPair()
        pair.central.listeners[0x80] = L2CAPLink.Listener(mtu: 100)
        pair.peripheral.listeners[0x80] = L2CAPLink.Listener(mtu: 200)
        let (_, first) = try pair.central.open(psm: 0x80, at: .zero)
        let (_, second) = try pair.peripheral.open(psm: 0x80, at: .zero)
        pair.pump(first.map { (.central, $0) } + second.map { (.peripheral, $0) })
        #expect(pair.centralsChannels.count == 2 && pair.peripheralsChannels.count == 2)
    }
}
