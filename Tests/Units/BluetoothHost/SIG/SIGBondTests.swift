import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases GAP of the Bluetooth SIG about bonds and protected values. In each role, against a whole tester.
@Suite("SIG cases: bonds and protected values")
struct SIGBondTests {
    private static let read = ATTPDU.readRequest(handle: SIGAir.value)
    private static let value = Array("value".utf8)

    private func noInput(_ other: inout HostPersonality) { other.pairing.capability = .noInputNoOutput }

    /// As a central and as a peripheral the phone asks for a bond, and is asked for one.
    @Test(
        "A bond encrypts the next link, whoever asked for it",
        .shows("GAP/BOND/BON/BV-01-C", "GAP/BOND/BON/BV-02-C", "GAP/BOND/BON/BV-03-C", "GAP/BOND/BON/BV-04-C"),
        arguments: [0, 1], [0, 1])
    func bonds(phone: Int, beginner: Int) throws {
        var bench = try SIGAir(phone: phone)
        try bench.connect()
        try bench.pair(beginner)
        let bond = try #require(bench.air.devices[phone].stack.bonds.values.first)
        #expect(bond.keys.keys.peerIdentity?.address.address == bench.air.devices[bench.tester].address)
        let own = bench.air.devices[bench.tester].stack.bonds.values.first
        #expect(own?.keys.keys.peerIdentity?.address.address == bench.air.devices[phone].address)
        #expect(own?.keys.keys.peerIdentity?.resolvingKey != Value128.zero)
        try bench.disconnect(by: bench.tester)
        try bench.connect()
        #expect(try bench.protection(phone).isEncrypted)
        let pairings = bench.events.values.joined().contains { if case .paired = $0 { true } else { false } }
        #expect(!pairings, "nobody pairs again")
    }

    @Test(
        "The phone's protected value is refused, and given after a pairing",
        .shows("GAP/SEC/AUT/BV-11-C", "GAP/SEC/AUT/BV-12-C"), arguments: [0, 1])
    func refusedThenGiven(phone: Int) throws {
        var bench = try SIGAir(phone: phone, server: phone, reading: .authenticated)
        try bench.connect()
        #expect(try bench.request(Self.read, by: bench.tester) == .refused(.insufficientAuthentication))
        try bench.pair(bench.tester)
        #expect(try bench.request(Self.read, by: bench.tester) == .pdu(.readResponse(value: Self.value)))
        #expect(try bench.protection(phone).isAuthenticated)
    }

    @Test(
        "As a peripheral: an unauthenticated bond does not open an authenticated value, a new pairing does",
        .shows("GAP/SEC/AUT/BV-14-C"))
    func betterBondOfPeripheral() throws {
        var bench = try SIGAir(phone: 1, server: 1, reading: .authenticated, testerIs: noInput)
        try bench.connect()
        try bench.pair(0)
        try bench.disconnect(by: 0)
        bench.air.act(0) { stack, _ in
            stack.personality.pairing.capability = .keyboardDisplay
            return []
        }
        try bench.connect()
        #expect(try bench.protection(1).isEncrypted && !bench.protection(1).isAuthenticated)
        #expect(try bench.request(Self.read, by: 0) == .refused(.insufficientAuthentication))
        try bench.pair(0)
        #expect(try bench.request(Self.read, by: 0) == .pdu(.readResponse(value: Self.value)))
    }

    @Test(
        "As a central: an unauthenticated bond does not open an authenticated value, so that the phone pairs anew",
        .shows("GAP/SEC/AUT/BV-13-C"))
    func betterBondOfCentral() throws {
        var bench = try SIGAir(phone: 0, server: 1, reading: .authenticated, testerIs: noInput)
        try bench.connect()
        try bench.pair(0)
        try bench.disconnect(by: 1)
        bench.air.act(1) { stack, _ in
            stack.personality.pairing.capability = .keyboardDisplay
            return []
        }
        try bench.connect()
        #expect(try bench.protection(0).isEncrypted && !bench.protection(0).isAuthenticated)
        #expect(try bench.request(Self.read, by: 0) == .refused(.insufficientAuthentication))
        #expect(try bench.read(by: 0) == Self.value)
        #expect(try bench.protection(0).isAuthenticated)
    }

    @Test(
        "The phone as a client: refused, paired by Just Works, and the same read succeeds",
        .shows("GAP/SEC/AUT/BV-17-C", "GAP/SEC/AUT/BV-18-C"), arguments: [0, 1])
    func pairsForAValue(phone: Int) throws {
        var bench = try SIGAir(phone: phone, server: 1 - phone, reading: .encrypted, testerIs: noInput)
        try bench.connect()
        #expect(try bench.request(Self.read, by: phone) == .refused(.insufficientAuthentication))
        #expect(try bench.read(by: phone) == Self.value)
        let protection = try bench.protection(phone)
        #expect(protection.isEncrypted && !protection.isAuthenticated)
    }

    @Test(
        "As a peripheral whose central has lost the bond, the phone says so, and pairs only once the person agrees",
        .shows("GAP/SEC/AUT/BV-20-C", "GAP/SEC/AUT/BV-22-C", "GAP/SEC/AUT/BV-26-C", "GAP/SEC/AUT/BV-28-C"))
    func lostBondOfCentral() throws {
        var bench = try SIGAir(phone: 1, server: 0, reading: .encrypted, testerIs: noInput)
        try bench.connect()
        try bench.pair(0)
        let identity = bench.air.devices[1].address
        try bench.disconnect(by: 0)
        bench.air.act(0) { $0.forget(identity, at: $1) }
        try bench.connect()
        let asked = try #require(bench.asked[1])
        #expect(try bench.protection(1).isEncrypted == false)
        // The phone tries its bond by a Security Request; the central answers by a Pairing Request.
        #expect(try bench.read(by: 1) == Self.value)
        #expect(bench.asked[1] == asked + 1)
        let notes = (bench.events[1] ?? []).compactMap { if case .note(_, let text) = $0 { text } else { nil } }
        #expect(notes.contains { $0.contains("has lost the key of the bond") }, "\(notes)")
    }

    @Test(
        "With a bond, the phone's protected value needs an encrypted link, which is enough",
        .shows("GAP/SEC/AUT/BV-23-C", "GAP/SEC/AUT/BV-24-C"), arguments: [0, 1])
    func plainLink(phone: Int) throws {
        // Nobody encrypts at once, to see the refusal.
        var bench = try SIGAir(
            phone: phone, server: phone, reading: .authenticated, phoneIs: { $0.link.encryptsAtOnce = false },
            testerIs: { $0.link.encryptsAtOnce = false })
        try bench.connect()
        try bench.pair(bench.tester)
        try bench.disconnect(by: bench.tester)
        try bench.connect()
        #expect(try bench.request(Self.read, by: bench.tester) == .refused(.insufficientEncryption))
        #expect(try bench.read(by: bench.tester) == Self.value)
        #expect(try bench.protection(phone).isAuthenticated)
        let pairings = bench.events.values.joined().contains { if case .paired = $0 { true } else { false } }
        #expect(!pairings, "the bond was enough")
    }

    @Test(
        "A value that needs LE security mode 1 level 4 is read after a pairing by Secure Connections",
        .shows("GAP/SEC/SEM/BV-21-C", "GAP/SEC/SEM/BV-22-C", "GAP/SEC/SEM/BV-26-C", "GAP/SEC/SEM/BV-27-C"),
        arguments: [0, 1], [0, 1])
    func levelFour(phone: Int, server: Int) throws {
        var bench = try SIGAir(phone: phone, server: server, reading: .secureConnections)
        try bench.connect()
        #expect(try bench.read(by: 1 - server) == Self.value)
        let expected = LinkSecurity(isEncrypted: true, isAuthenticated: true, isSecureConnections: true, keySize: 16)
        #expect(try bench.protection(phone) == expected)
        let pairings = bench.air.frames.map(\.frame).filter { $0[2] == 6 && [0x01, 0x02].contains($0[4]) }
        #expect(pairings.count == 2 && pairings.allSatisfy { $0[7] & 0x08 != 0 }, "both ask for Secure Connections")
    }

    @Test(
        "As a central the phone stops an attempt whose bond of level 4 does not encrypt, and says so",
        .shows("GAP/SEC/SEM/BV-45-C"))
    func lostBondOfPeripheral() throws {
        var bench = try SIGAir(phone: 0, server: 1, reading: .secureConnections)
        try bench.connect()
        try bench.pair(0)
        let identity = bench.air.devices[0].address
        let peer = try bench.peer(of: 0)
        try bench.disconnect(by: 0)
        bench.air.act(1) { $0.forget(identity, at: $1) }
        bench.air.act(1) { $0.advertise(AdvertisingContent(name: "Device"), at: $1) }
        bench.air.act(0) { $0.scan(ScanSettings(), at: $1) }
        bench.air.advance(by: .milliseconds(100))
        let id = bench.air.perform(0, .connect(peer))
        guard case .failure(.bondRefused(.keyMissing))? = bench.air.result(0, id) else {
            return #expect(Bool(false), "\(String(describing: bench.air.result(0, id)))")
        }
        #expect(bench.air.devices[0].stack.connected.isEmpty)
        let sent = bench.air.frames.suffix(8).filter { $0.device == 0 && $0.frame[2] == 6 && $0.frame[4] == 1 }
        #expect(sent.isEmpty, "the phone does not pair by itself")
    }
}
