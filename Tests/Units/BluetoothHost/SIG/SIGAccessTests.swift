import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases GAP and GATT of the Bluetooth SIG that need a link, and those about private addresses.
@Suite("SIG cases: links and addresses")
struct SIGAccessTests {
    @Test(
        "The phone is general discoverable and connectable, with flags for both transports; a link comes",
        .shows("GAP/DISC/GENM/BV-02-C", "GAP/CONN/UCON/BV-02-C", "GAP/ADV/BV-03-C"))
    func discoverable() throws {
        var bench = try SIGAir(phone: 1)
        try bench.connect()
        let (data, response) = (bench.air.devices[1].advertisement, bench.air.devices[1].scanResponse)
        // General discoverable; not “BR/EDR not supported”; one field only, the first one.
        #expect(data.prefix(3) == [0x02, 0x01, 0x1A])
        #expect(AdvertisingFields(data).types.filter { $0 == 0x01 }.count == 1)
        #expect(!AdvertisingFields(response).types.contains(0x01))
        var run = AccessRun()
        _ = run.takeCommands()
        run.act { $0.advertise(AdvertisingContent(name: "Phone"), at: $1) }
        let parameters = try #require(run.takeCommands().first { $0.opcode == .leSetAdvertisingParameters })
        #expect(parameters.parameters[4] == 0x00, "connectable and scannable, to everybody")
    }

    /// The types of the fields of an advertisement.
    private struct AdvertisingFields {
        var types: [UInt8] = []

        init(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while let length = rest.first, length > 0, rest.count > Int(length) {
                types.append(rest[rest.startIndex + 1])
                rest = rest.dropFirst(Int(length) + 1)
            }
        }
    }

    @Test("The phone ends a link", .shows("GAP/CONN/TERM/BV-01-C"), arguments: [0, 1])
    func ends(phone: Int) throws {
        var bench = try SIGAir(phone: phone)
        try bench.connect()
        try bench.disconnect(by: phone)
        for device in 0..<2 { #expect(bench.air.devices[device].stack.connected.isEmpty) }
    }

    @Test(
        "Bonded devices with new private addresses each time are known, and the link is encrypted",
        .shows("GAP/CONN/PRDA/BV-01-C", "GAP/CONN/PRDA/BV-02-C"), arguments: [0, 1])
    func newAddresses(phone: Int) throws {
        var bench = try SIGAir(phone: phone, testerIs: { $0.access.addresses.isPrivate = true })
        try bench.connect()
        try bench.pair(0)
        let identity = bench.air.devices[bench.tester].address
        var addresses: Set<DeviceAddress> = []
        for _ in 0..<3 {
            try bench.disconnect(by: bench.tester)
            bench.air.advance(by: .seconds(1000))
            addresses.insert(try #require(bench.air.devices[bench.tester].randomAddress))
            try bench.connect()
            #expect(try bench.peer(of: phone) == identity)
            #expect(try bench.protection(phone).isEncrypted)
        }
        #expect(addresses.count == 3)
    }

    @Test(
        "As a peripheral the phone changes its private address, which its bonded device resolves, and is connected",
        .shows("GAP/PRIV/CONN/BV-10-C"))
    func peripheralPrivacy() throws {
        var bench = try SIGAir(phone: 1)
        try bench.connect()
        try bench.pair(0)
        let bond = try #require(bench.air.devices[0].stack.bonds.values.first)
        let key = try #require(bond.keys.keys.peerIdentity).resolvingKey
        try bench.disconnect(by: 0)
        var addresses: Set<DeviceAddress> = []
        bench.air.act(1) { $0.advertise(AdvertisingContent(name: "Phone"), at: $1) }
        for _ in 0..<3 {
            let address = try #require(bench.air.devices[1].randomAddress)
            #expect(ResolvablePrivateAddress(PeerAddress(address, isRandom: true))?.isMade(with: key) == true)
            #expect(bench.air.devices[1].isAdvertising)
            addresses.insert(address)
            bench.air.advance(by: .seconds(900))
        }
        #expect(addresses.count == 3)
        try bench.connect()
        #expect(try bench.peer(of: 0) == bench.air.devices[1].address)
    }

    @Test(
        "As a central the phone has a private address in its calls, changes it, and calls no stranger",
        .shows("GAP/PRIV/CONN/BV-11-C"))
    func centralPrivacy() throws {
        var run = AccessRun.connecting()
        let peer = DeviceIdentity.numbered(0x30)
        run.access.add(peer)
        var addresses: Set<DeviceAddress> = []
        run.act { $0.scan(ScanSettings(), at: $1) }
        for round in 0..<2 {
            let heard = peer.address(UInt64(round))
            run.receive(.advertisingReports([.test(heard, [], kind: [.legacy, .connectable])]))
            run.act { $0.connect(to: peer.address, at: $1) }
            #expect(run.controller.initiatingTo == heard)
            let own = try #require(run.access.addresses.current)
            #expect(ResolvablePrivateAddress(own)?.isMade(with: DeviceIdentity.numbered(1).resolvingKey) == true)
            addresses.insert(own.address)
            run.connects(round + 1)
            run.act { $0.disconnect(ConnectionHandle(round + 1), at: $1) }
            run.receive(
                .disconnectionComplete(ConnectionHandle(round + 1), status: .success, reason: .remoteUserEnded))
            run.advance(by: .seconds(900))
        }
        #expect(addresses.count == 2)
        // A private address of another key is nobody's that the phone wants.
        let stranger = DeviceIdentity.numbered(0x31).address(9)
        run.act { $0.connect(to: peer.address, at: $1) }
        run.receive(.advertisingReports([.test(stranger, [], kind: [.legacy, .connectable])]))
        #expect(run.controller.initiatingTo != nil && run.controller.initiatingTo != stranger)
    }

    @Test(
        "As a peripheral with a bond, the phone takes a link from a private address that it cannot resolve",
        .shows("GAP/PRIV/CONN/BV-12-C"))
    func unresolvable() throws {
        var run = AccessRun()
        run.access.add(.numbered(0x30))
        run.act { $0.advertise(AdvertisingContent(name: "Phone"), at: $1) }
        _ = run.takeHeard()
        let stranger = DeviceIdentity.numbered(0x31).address(9)
        run.accepts(3, from: stranger)
        let link = try #require(run.takeHeard().links.first)
        #expect(link.device == stranger && link.role == .peripheral)
    }

    @Test("An active scan asks with a private address", .shows("GAP/BROB/OBSV/BV-05-C"))
    func privateScan() throws {
        var run = AccessRun()
        _ = run.takeCommands()
        var settings = ScanSettings()
        settings.isActive = true
        run.act { $0.scan(settings, at: $1) }
        let command = try #require(run.takeCommands().first { $0.opcode == .leSetScanParameters })
        #expect(command.parameters[0] == 1 && command.parameters[5] == 1, "active, with the random address")
        let own = try #require(run.access.addresses.current)
        #expect(ResolvablePrivateAddress(own)?.isMade(with: DeviceIdentity.numbered(1).resolvingKey) == true)
    }

    @Test(
        "As a central the phone accepts connection parameters and uses them, and rejects forbidden ones",
        .shows("GAP/CONN/CPUP/BV-04-C", "GAP/CONN/CPUP/BV-05-C"), arguments: [true, false])
    func parameters(areAllowed: Bool) throws {
        var bench = try SIGAir(phone: 0)
        try bench.connect()
        _ = bench.air.takeEvents(0)
        let peer = try bench.peer(of: 0)
        let wanted = ConnectionParameters(
            shortestInterval: 12, longestInterval: 24, latency: areAllowed ? 4 : 512, timeout: 600)
        let command = SignalingCommand.parameterUpdateRequest(wanted).bytes(identifier: 9)
        let before = bench.air.frames.count
        bench.air.inject(L2CAPFrame(channel: .leSignaling, payload: command).bytes, to: 0)
        var events = bench.air.takeEvents(0)
        for case .parametersRequested(peer, wanted, let identifier) in events {
            bench.air.act(0) {
                $0.answerParameters(wanted, identifier: identifier, of: peer, accepted: true, at: $1)
            }
        }
        events += bench.air.takeEvents(0)
        let answers = bench.air.frames[before...].filter { $0.device == 0 && $0.frame[2] == 5 }.map {
            $0.frame.dropFirst(4)
        }
        #expect(answers.map(Array.init) == [[0x13, 9, 2, 0, areAllowed ? 0 : 1, 0]])
        let changes = events.compactMap { if case .parametersChanged(_, let update) = $0 { update } else { nil } }
        #expect(changes.count == (areAllowed ? 1 : 0))
        #expect(bench.air.devices[0].stack.connected == [peer])
    }

    @Test(
        "The phone's server notifies and indicates; with a bond a subscription comes back, without one it ends",
        .shows("GATT/SR/GAN/BV-01-C", "GATT/SR/GAN/BV-03-C", "GATT/SR/GAI/BV-01-C", "GATT/SR/GAI/BV-02-C"),
        arguments: [true, false], [1, 2] as [UInt8])
    func subscriptions(isBonded: Bool, kind: UInt8) throws {
        var bench = try SIGAir(phone: 1, server: 1)
        try bench.connect()
        if isBonded { try bench.pair(0) }
        let configuration = SIGAir.value + 1
        #expect(
            try bench.request(.writeRequest(handle: configuration, value: [kind, 0]), by: 0) == .pdu(.writeResponse))
        let before = bench.air.frames.count
        bench.air.act(1) { $0.notify([7, 8], of: SIGAir.value, at: $1) }
        bench.answer()
        let attributes = bench.air.frames[before...].filter { $0.frame[2] == 4 }
        #expect(attributes.first { $0.device == 1 }?.frame.dropFirst(4) == [kind == 1 ? 0x1B : 0x1D, 3, 0, 7, 8])
        let confirmations = attributes.filter { $0.device == 0 && $0.frame[4] == 0x1E }
        #expect(confirmations.count == (kind == 1 ? 0 : 1))
        let told = (bench.events[1] ?? []).contains { if case .confirmed = $0 { true } else { false } }
        #expect(told == (kind == 2))
        try bench.disconnect(by: 0)
        try bench.connect()
        let value: [UInt8] = isBonded ? [kind, 0] : [0, 0]
        #expect(try bench.request(.readRequest(handle: configuration), by: 0) == .pdu(.readResponse(value: value)))
    }
}
