import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Whole hosts against each other.
@Suite("A host's layers together")
struct BluetoothStackTests {
    static let service = BluetoothUUID(short: 0xFF00)
    static let value = BluetoothUUID(short: 0xFF01)
    static let secret = BluetoothUUID(short: 0xFF02)

    /// A phone, and a peripheral with a plain value and a protected one.
    func air(
        _ phone: HostPersonality = .iPhone, peripheral: (inout HostPersonality) -> Void = { _ in }
    ) throws -> LocalAir {
        let services = try AttributeDatabase([
            ServiceDefinition(
                Self.service,
                [
                    CharacteristicDefinition(
                        Self.value, [.read, .write, .notify], value: .stored(Array("on".utf8))),
                    CharacteristicDefinition(
                        Self.secret, [.read], reading: .encrypted, value: .stored(Array("secret".utf8))),
                ])
        ])
        var other = HostPersonality()
        other.pairing.consent = .never
        peripheral(&other)
        return LocalAir([phone, other], services: [AttributeDatabase(), services])
    }

    /// Lets the phone find the peripheral and connect to it.
    func connect(_ air: inout LocalAir) throws -> DeviceAddress {
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp", services: [Self.service]), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let heard = try #require(
            air.takeEvents(0).compactMap { if case .heard(let discovery) = $0 { discovery } else { nil } }.first)
        #expect(heard.advertisement.name == "Lamp" && heard.advertisement.serviceUUIDs == [Self.service])
        air.act(0) { $0.scan(nil, at: $1) }
        let id = air.perform(0, .connect(heard.device.address))
        guard case .success(.done)? = air.result(0, id) else {
            Issue.record("not connected: \(String(describing: air.result(0, id)))")
            return heard.device.address
        }
        return heard.device.address
    }

    func discover(_ air: inout LocalAir, _ device: DeviceAddress) throws -> [BluetoothUUID: UInt16] {
        let services = air.perform(0, .gatt(device, .discoverServices([Self.service])))
        guard case .success(.gatt(.services(let found)))? = air.result(0, services) else { throw Unexpected() }
        let first = try #require(found.first)
        let id = air.perform(0, .gatt(device, .discoverCharacteristics(service: first.handle, nil)))
        guard case .success(.gatt(.characteristics(let all)))? = air.result(0, id) else { throw Unexpected() }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0.handle) })
    }

    private struct Unexpected: Error {}

    func value(_ result: Result<StackAnswer, StackFailure>?) -> [UInt8]? {
        if case .success(.gatt(.value(let value)))? = result { value } else { nil }
    }

    /// Reads a value; nil without an answer.
    func readValue(_ air: inout LocalAir, _ device: DeviceAddress, _ handle: UInt16) -> [UInt8]? {
        let id = air.perform(0, .gatt(device, .read(handle)))
        return value(air.result(0, id))
    }

    private func paired(_ events: [StackEvent]) -> (Bond, Bool)? {
        for case .paired(_, let bond, let isBonded) in events { return (bond, isBonded) }
        return nil
    }

    @Test(
        "A phone finds a peripheral, connects, agrees on the MTU, discovers, reads, writes and gets a value",
        .shows("GAP/CONN/GCEP/BV-02-C"))
    func journey() throws {
        var air = try air()
        let device = try connect(&air)
        #expect(air.devices[0].stack.mtu(of: device) == 185)
        let handles = try discover(&air, device)
        let handle = try #require(handles[Self.value])
        #expect(readValue(&air, device, handle) == Array("on".utf8))
        let write = air.perform(0, .gatt(device, .write(handle, [1, 2, 3])))
        guard case .success(.gatt(.done))? = air.result(0, write) else { throw Unexpected() }
        #expect(readValue(&air, device, handle) == [1, 2, 3])
        let subscribe = air.perform(0, .gatt(device, .setNotifying(characteristic: handle, true)))
        guard case .success(.gatt(.done))? = air.result(0, subscribe) else { throw Unexpected() }
        _ = air.takeEvents(0)
        air.act(1) { $0.notify([7], of: handle, at: $1) }
        let values = air.takeEvents(0).compactMap { if case .value(_, handle, let value) = $0 { value } else { nil } }
        #expect(values == [[7]])
    }

    @Test("A value may go to one subscribed device alone, and is not kept then")
    func oneDevice() throws {
        var air = try air()
        let device = try connect(&air)
        let connected = air.takeEvents(1).compactMap { if case .connected(let peer, _) = $0 { peer } else { nil } }
        let phone = try #require(connected.last)
        let handle = try #require(try discover(&air, device)[Self.value])
        _ = air.perform(0, .gatt(device, .setNotifying(characteristic: handle, true)))
        _ = air.takeEvents(0)
        air.act(1) { $0.notify([8], of: handle, to: device, at: $1) }
        air.act(1) { $0.notify([9], of: handle, to: phone, at: $1) }
        let values = air.takeEvents(0).compactMap { if case .value(_, handle, let value) = $0 { value } else { nil } }
        #expect(values == [[9]], "nothing for another device")
        #expect(readValue(&air, device, handle) == Array("on".utf8))
    }

    @Test(
        "A protected value makes the phone pair, both compare one number, the read succeeds; later it encrypts"
    )
    func pairing() throws {
        var air = try air()
        let device = try connect(&air)
        let secret = try #require(try discover(&air, device)[Self.secret])
        _ = (air.takeEvents(0), air.takeEvents(1))
        let read = air.perform(0, .gatt(device, .read(secret)))
        #expect(air.result(0, read) == nil)
        func number(_ events: [StackEvent]) -> UInt32? {
            for case .compare(_, let number) in events { return number }
            return nil
        }
        let (here, there) = (number(air.takeEvents(0)), number(air.takeEvents(1)))
        #expect(here != nil && here == there)
        let phone = try #require(air.devices[1].stack.connected.first)
        air.act(1) { $0.confirm(phone, true, at: $1) }
        air.act(0) { $0.confirm(device, true, at: $1) }
        #expect(value(air.result(0, read)) == Array("secret".utf8))
        let events = air.takeEvents(0)
        let (bond, isBonded) = try #require(paired(events))
        #expect(bond == Bond(isSecureConnections: true, isAuthenticated: true) && isBonded)
        let identity = air.devices[1].address
        #expect(events.contains { if case .identified(device, as: identity) = $0 { true } else { false } })

        // The link ends; both know each other at new addresses, and the phone encrypts without being asked.
        air.loseLink()
        _ = (air.takeEvents(0), air.takeEvents(1))
        air.advance(by: .seconds(1000))
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp"), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let again = air.perform(0, .connect(identity))
        guard case .success(.done)? = air.result(0, again) else { throw Unexpected() }
        #expect(air.devices[0].stack.protection(of: identity)?.satisfies(.secureConnections) == true)
        #expect(readValue(&air, identity, secret) == Array("secret".utf8))
        #expect(paired(air.takeEvents(0)) == nil)
    }

    @Test(
        "A peripheral that has lost the bond is told apart: the phone hears that the key is missing",
        .shows("GAP/SEC/AUT/BV-19-C", "GAP/SEC/AUT/BV-21-C"))
    func lostBond() throws {
        var air = try air { $0.pairing.capability = .noInputNoOutput }
        let device = try connect(&air)
        let pair = air.perform(0, .pair(device))
        air.act(0) { $0.confirm(device, true, at: $1) }
        guard case .success(.paired(let bond, isBonded: true))? = air.result(0, pair) else { throw Unexpected() }
        #expect(!bond.isAuthenticated)
        let phone = air.devices[0].address
        air.act(1) { $0.forget(phone, at: $1) }
        let identity = air.devices[1].address
        _ = air.takeEvents(0)
        air.act(1) { $0.advertise(AdvertisingContent(name: "Lamp"), at: $1) }
        air.act(0) { $0.scan(ScanSettings(), at: $1) }
        air.advance(by: .milliseconds(100))
        let again = air.perform(0, .connect(identity))
        guard case .failure(.bondRefused(.keyMissing))? = air.result(0, again) else { throw Unexpected() }
        let events = air.takeEvents(0)
        let refusals = events.compactMap { if case .bondRefused(_, let status) = $0 { status } else { nil } }
        #expect(refusals == [.keyMissing])
        // From this text the phone knows that its app must hear of the lost bond.
        let ends = events.compactMap { if case .disconnected(_, _, let why) = $0 { why } else { nil } }
        #expect(ends.count == 1 && ends[0].hasPrefix("authentication failed"), "\(ends)")
    }

    @Test("A person who has mistyped the number may try again at once")
    func mistyped() throws {
        var air = try air { $0.pairing.capability = .displayOnly }
        let device = try connect(&air)
        let first = air.perform(0, .pair(device))
        air.act(0) { $0.enterPasskey(device, 0, at: $1) }
        guard case .failure(.pairing(let end))? = air.result(0, first) else { throw Unexpected() }
        #expect(end.cause == .refused(.confirmValueFailed))
        // The phone asks again at once; the peripheral, which must wait, refuses.
        let second = air.perform(0, .pair(device))
        guard case .failure(.pairing(let refusal))? = air.result(0, second) else { throw Unexpected() }
        #expect(refusal.side == .peer && refusal.cause == .refused(.repeatedAttempts))
    }

    @Test("A request without an answer ends the link after 30 s, and its result names the attribute")
    func silence() throws {
        var air = try air()
        let device = try connect(&air)
        let handle = try #require(try discover(&air, device)[Self.value])
        air.loses = { device, _ in device == 1 }
        let read = air.perform(0, .gatt(device, .read(handle)))
        air.advance(by: .seconds(29))
        #expect(air.result(0, read) == nil)
        air.advance(by: .seconds(2))
        guard case .failure(.gatt(let failure))? = air.result(0, read) else { throw Unexpected() }
        #expect("\(failure)".contains("FF01"), "\(failure)")
        let ends = air.takeEvents(0).compactMap {
            if case .disconnected(_, _, let violation) = $0 { violation } else { nil }
        }
        #expect(ends.count == 1)
        #expect(air.devices[0].stack.connected.isEmpty)
    }

    @Test("A link lost at any frame of a pairing ends it once, on both ends, and the next one succeeds")
    func lossInPairing() throws {
        var frames = 0
        for lost in 0..<60 {
            var air = try air { $0.pairing.capability = .noInputNoOutput }
            let device = try connect(&air)
            frames = 0
            air.loses = { _, frame in
                guard frame[2] == 6 else { return false }
                frames += 1
                return frames > lost
            }
            let pair = air.perform(0, .pair(device))
            air.act(0) { $0.confirm(device, true, at: $1) }
            guard air.result(0, pair) == nil else { return #expect(lost >= 8, "\(lost) frames are a whole pairing") }
            air.loseLink()
            guard case .failure? = air.result(0, pair) else { throw Unexpected() }
            let ends = air.takeEvents(0).count { if case .pairingFailed = $0 { true } else { false } }
            #expect(ends == 1, "after \(lost) frames")
            #expect(air.devices[0].stack.bonds.isEmpty)
            air.loses = { _, _ in false }
            let again = try connect(&air)
            let second = air.perform(0, .pair(again))
            air.act(0) { $0.confirm(again, true, at: $1) }
            guard case .success? = air.result(0, second) else { throw Unexpected() }
        }
        Issue.record("a pairing has no end")
    }

    @Test("A device that is forgotten at any frame of a pairing is not bonded by what still comes")
    func forgottenInPairing() throws {
        for last in 0..<60 {
            var air = try air { $0.pairing.capability = .noInputNoOutput }
            let device = try connect(&air)
            let late = Late(after: last)
            air.loses = { late.holds($1, of: $0) }
            let pair = air.perform(0, .pair(device))
            air.act(0) { $0.confirm(device, true, at: $1) }
            guard air.result(0, pair) == nil else { return #expect(last >= 4, "\(last) frames are a whole pairing") }
            let packets = late.frames.map(air.packet)
            air.act(0) { stack, now in
                let outputs = stack.forget(device, at: now)
                return packets.reduce(outputs) { $0 + stack.receive($1, at: now) }
            }
            guard case .failure? = air.result(0, pair) else { throw Unexpected() }
            let events = air.takeEvents(0)
            #expect(events.count { if case .pairingFailed = $0 { true } else { false } } == 1, "after \(last) frames")
            #expect(paired(events) == nil && air.devices[0].stack.bonds.isEmpty, "after \(last) frames")
        }
        Issue.record("a pairing has no end")
    }

    /// Holds a peripheral's frames of a pairing after some of them.
    private final class Late {
        private var passing: Int
        private(set) var frames: [[UInt8]] = []

        init(after count: Int) { passing = count }

        func holds(_ frame: [UInt8], of device: Int) -> Bool {
            guard device == 1, frame[2] == 6 else { return false }
            passing -= 1
            if passing >= 0 { return false }
            frames.append(frame)
            return true
        }
    }

    @Test("Forgetting a device while requests are in flight ends each of them once")
    func forgetting() throws {
        var air = try air()
        let device = try connect(&air)
        let handle = try #require(try discover(&air, device)[Self.value])
        air.loses = { device, _ in device == 1 }
        let requests = (0..<100).map { number in
            air.perform(
                0, .gatt(device, number.isMultiple(of: 2) ? .read(handle) : .setNotifying(characteristic: handle, true))
            )
        }
        air.act(0) { $0.forget(device, at: $1) }
        for id in requests {
            guard case .failure(.gatt)? = air.result(0, id) else { throw Unexpected() }
        }
        #expect(air.devices[0].stack.connected.isEmpty)
    }

    @Test("Whatever a peer sends, the phone neither stops nor keeps a link that breaks L2CAP")
    func anyFrames() throws {
        var numbers = SeededNumbers(seed: 36)
        for _ in 0..<200 {
            var air = try air()
            let device = try connect(&air)
            for _ in 0..<40 {
                let count = Int.random(in: 0...24, using: &numbers)
                let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
                let channel = [4, 5, 6, 0x3A, 0x40].randomElement(using: &numbers) ?? 4
                air.inject([UInt8(count), 0, UInt8(channel), 0] + payload, to: 0)
            }
            air.advance(by: .seconds(61))
            if air.devices[0].stack.connected.contains(device) {
                let id = air.perform(0, .signal(device))
                guard case .success(.signal(-40))? = air.result(0, id) else { throw Unexpected() }
            }
        }
    }

    @Test("Switched off, everything ends; switched on again, it works")
    func power() throws {
        var air = try air()
        let device = try connect(&air)
        let handle = try #require(try discover(&air, device)[Self.value])
        air.loses = { device, _ in device == 1 }
        let read = air.perform(0, .gatt(device, .read(handle)))
        let pair = air.perform(0, .pair(device))
        air.act(0) { $0.powerOff(at: $1) }
        guard case .failure(.off)? = air.result(0, pair) else { throw Unexpected() }
        guard case .failure(.off)? = air.result(0, read) else { throw Unexpected() }
        let late = air.perform(0, .connect(device))
        guard case .failure(.off)? = air.result(0, late) else { throw Unexpected() }
        air.loses = { _, _ in false }
        air.act(0) { $0.powerOn(at: $1) }
        _ = air.takeEvents(0)
        _ = try discover(&air, try connect(&air))
    }
}
