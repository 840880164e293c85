import BoardProtocol
import HILPOSIX
import RadioModel
import Testing
import VirtualRadio

@testable import HILAir

@Suite("Distance")
struct GeometryTests {
    @Test(
        "The signals are those of the documented table",
        arguments: [(0.3, -24, -20), (1, -40, -36), (2, -49, -45), (10, -70, -66)])
    func table(_ metres: Double, _ bluetooth: Int8, _ wifi: Int8) {
        #expect(Geometry(distance: metres).signal(.bluetooth) == bluetooth)
        #expect(Geometry(distance: metres).signal(.wifi) == wifi)
    }

    @Test("Beyond the range, nothing is heard", arguments: [66, 1000, .infinity, nil] as [Double?])
    func outOfRange(_ metres: Double?) {
        #expect(Geometry(distance: metres).signal(.bluetooth) == nil)
        #expect(Geometry(distance: metres).signal(.wifi) == nil)
    }

    @Test("Any small or invalid distance has a signal", arguments: [0, -1, .nan, 1e-300])
    func tiny(_ metres: Double) {
        #expect((Geometry(distance: metres).signal(.bluetooth) ?? -127) <= 0)
    }
}

@Suite("The medium of Wi-Fi")
struct WiFiMediumTests {
    private let station = DeviceAddress("02:00:00:00:01:00")!
    private let accessPoint = DeviceAddress("02:00:00:00:02:00")!
    private let near = Geometry(distance: 1)
    private var medium = WiFiMedium()

    init() {
        medium.plugIn(.host)
        medium.plugIn(.accessory)
    }

    private func frame(to: DeviceAddress, from: DeviceAddress, on frequency: UInt16 = 2437, flags: UInt32 = 1)
        -> WiFiTransmission
    {
        WiFiTransmission(
            cookie: 5, flags: flags, frequency: frequency, rates: [WiFiRate(index: 4, tries: 1)],
            frame: [0xB0, 0, 0, 0] + to.bytes + from.bytes + [0, 0])
    }

    @Test("A frame for an address of the other radio is acknowledged and heard there, with the signal of the distance")
    mutating func acknowledged() throws {
        medium.hears(accessPoint, true, on: .accessory)
        let sent = frame(to: accessPoint, from: station)
        let carried = medium.carry(sent, from: .host, geometry: near)
        let outcome = try #require(carried)
        #expect(outcome.status == WiFiStatus(cookie: 5, flags: 1 | 4, signal: -36, rates: sent.rates))
        #expect(outcome.receptions.map(\.place) == [.accessory])
        let reception = WiFiReception(frequency: 2437, signal: -36, rate: 4, frame: sent.frame)
        #expect(outcome.receptions.first?.reception == reception)
    }

    @Test("Frames for groups, for unknown or removed addresses, or without a request for it, are not acknowledged")
    mutating func unacknowledged() throws {
        let everybody = DeviceAddress("FF:FF:FF:FF:FF:FF")!
        medium.hears(accessPoint, true, on: .accessory)
        for sent in [
            frame(to: everybody, from: station), frame(to: DeviceAddress("02:00:00:00:09:00")!, from: station),
            frame(to: accessPoint, from: station, flags: 3),
        ] {
            let carried = medium.carry(sent, from: .host, geometry: near)
            let outcome = try #require(carried)
            #expect(outcome.status.flags & WiFiStatus.acknowledged == 0 && outcome.receptions.count == 1)
        }
        medium.hears(accessPoint, false, on: .accessory)
        let gone = medium.carry(frame(to: accessPoint, from: station), from: .host, geometry: near)
        #expect(gone?.status.flags == 1)
    }

    @Test("A receiver that was last heard on another channel does not acknowledge")
    mutating func otherChannel() {
        _ = medium.carry(frame(to: station, from: accessPoint, on: 2412), from: .accessory, geometry: near)
        #expect(medium.carry(frame(to: accessPoint, from: station), from: .host, geometry: near)?.status.flags == 1)
        _ = medium.carry(frame(to: station, from: accessPoint), from: .accessory, geometry: near)
        #expect(medium.carry(frame(to: accessPoint, from: station), from: .host, geometry: near)?.status.flags == 5)
    }

    @Test("Out of range nothing arrives or is acknowledged, but the sender gets a status")
    mutating func outOfRange() throws {
        medium.hears(accessPoint, true, on: .accessory)
        let carried = medium.carry(
            frame(to: accessPoint, from: station), from: .host, geometry: Geometry(distance: nil))
        let outcome = try #require(carried)
        #expect(outcome.receptions.isEmpty && outcome.status.flags == 1)
    }
}

@Suite("The guard before RootCanal")
struct HCIGuardTests {
    @Test("A command that is too short, or not implemented, gets a controller's answer")
    func answers() {
        var hciGuard = HCIGuard()
        guard case .refuse(let short, _) = hciGuard.judge([1, 0x01, 0x0C, 1, 0]) else { return #expect(Bool(false)) }
        #expect(short == [4, 0x0F, 4, 0x12, 1, 0x01, 0x0C])
        guard case .answer(let unknown, _) = hciGuard.judge([1, 0x15, 0x20, 2, 1, 0])
        else { return #expect(Bool(false)) }
        #expect(unknown == [4, 0x0F, 4, 0x01, 1, 0x15, 0x20])
        #expect(hciGuard.judge([1, 0x03, 0x0C, 0]) == .pass)
        #expect(hciGuard.judge([2, 0x01, 0x00, 0, 0]) == .pass)
    }

    @Test("The authenticated payload timeout, which Linux sets on every encrypted link, is set without RootCanal")
    func payloadTimeout() {
        var hciGuard = HCIGuard()
        guard case .answer(let done, _) = hciGuard.judge([1, 0x7C, 0x0C, 4, 0xFE, 0x0E, 0xB8, 0x0B])
        else { return #expect(Bool(false)) }
        #expect(done == [4, 0x0E, 6, 1, 0x7C, 0x0C, 0, 0xFE, 0x0E])
    }

    @Test("A host is told the data length of a present-day controller", arguments: [UInt8(0x02), 0x60])
    func dataLength(command: UInt8) {
        var hciGuard = HCIGuard()
        let rest: [UInt8] = command == 0x60 ? [20, 0, 0, 0] : [20]
        let head: [UInt8] = [4, 0x0E, UInt8(6 + rest.count), 1, command, 0x20]
        #expect(hciGuard.adjust(head + [0, 27, 0] + rest) == head + [0, 251, 0] + rest)
        // Not in a refusal, and not for another command.
        #expect(hciGuard.adjust(head + [1, 27, 0] + rest) == head + [1, 27, 0] + rest)
        let other: [UInt8] = [4, 0x0E, 7, 1, 0x04, 0x20, 0, 27, 0, 20]
        #expect(hciGuard.adjust(other) == other)
    }

    @Test("A host is not offered a controller that makes and resolves private addresses")
    func controllerPrivacy() {
        var hciGuard = HCIGuard()
        let head: [UInt8] = [4, 0x0E, 12, 1, 0x03, 0x20]
        let rest: [UInt8] = [0x5F, 0xFF, 0xFF, 0xFF, 0, 0, 0]
        #expect(hciGuard.adjust(head + [0, 0xFD] + rest) == head + [0, 0xBD] + rest)
        #expect(hciGuard.adjust(head + [1, 0xFD] + rest) == head + [1, 0xFD] + rest)
    }

    @Test("A host hears that the peer has no key, if it has begun to encrypt an LE link")
    func missingKey() {
        var hciGuard = HCIGuard()
        let failure: [UInt8] = [4, 0x08, 4, 0x05, 0xFE, 0x0E, 0]
        #expect(hciGuard.adjust(failure) == failure, "a classic link")
        #expect(hciGuard.judge([1, 0x19, 0x20, 28, 0xFE, 0x0E] + [UInt8](repeating: 0, count: 26)) == .pass)
        #expect(hciGuard.adjust([4, 0x08, 4, 0, 0xFD, 0x0E, 1]) == [4, 0x08, 4, 0, 0xFD, 0x0E, 1])
        #expect(hciGuard.adjust(failure) == [4, 0x08, 4, 0x06, 0xFE, 0x0E, 0])
        #expect(hciGuard.adjust(failure) == failure, "once")
    }

    @Test("An inquiry is cancelled only while there is one")
    func inquiry() {
        let start: [UInt8] = [1, 0x01, 0x04, 5, 0x33, 0x8B, 0x9E, 8, 0]
        let cancel: [UInt8] = [1, 0x02, 0x04, 0]
        var hciGuard = HCIGuard()
        #expect(hciGuard.judge(cancel) != .pass)
        #expect(hciGuard.judge(start) == .pass)
        #expect(hciGuard.judge(cancel) == .pass)
        #expect(hciGuard.judge(start) == .pass)
        #expect(hciGuard.adjust([4, 0x01, 1, 0]) == [4, 0x01, 1, 0])
        #expect(hciGuard.judge(cancel) != .pass)
    }
}
