import HILPOSIX
import RadioModel
import Testing

@testable import VirtualRadio

/// A device without a kernel.
private final class FakeDevice: VirtualDevice {
    var taken: [RadioMessage] = []
    var waiting: [RadioMessage] = []
    var isPlugged = true
    var failure: SystemError?
    /// Messages that were read with those of another device.
    var hasWaiting = false

    let descriptor: Int32 = -1
    func drain() throws -> [RadioMessage] {
        if let failure { throw failure }
        defer { (waiting, hasWaiting) = ([], false) }
        return waiting
    }
    func take(_ message: RadioMessage) -> String? {
        taken.append(message)
        return nil
    }
    func unplug() { isPlugged = false }
}

@Suite("A board's radio port")
struct RadioStationTests {
    private let air: Descriptor
    private let station: RadioStation
    private let devices = Devices()

    /// The devices in the order in which they were added.
    private final class Devices {
        var all: [FakeDevice] = []
        var refusal: SystemError?
    }

    init() throws {
        let (board, air) = try UnixSocket.pair()
        try board.setNonBlocking()
        try air.setNonBlocking()
        self.air = air
        station = RadioStation(port: RadioPort(board), limit: 3) { [devices] _, _, _ in
            if let refusal = devices.refusal { throw refusal }
            devices.all.append(FakeDevice())
            return devices.all.last!
        }
    }

    private func send(_ messages: RadioMessage...) throws {
        for message in messages { try air.write(message.frame.bytes) }
        _ = try station.servicePort(isHungUp: false)
    }

    private func received() throws -> [RadioMessage] {
        var reader = FrameReader()
        return try reader.push((try? air.read()) ?? []).compactMap {
            if case .frame(let frame) = $0 { try RadioMessage(frame) } else { nil }
        }
    }

    @Test("It sends ready when the other side connects, and answers each reset with its token")
    func greeting() throws {
        try send(.reset(token: 7), .reset(token: 8))
        #expect(try received() == [.ready(token: 0), .ready(token: 7), .ready(token: 8)])
    }

    @Test("Further devices are added beside the first, mark their messages, and are removed separately")
    func further() throws {
        let address = RadioMessageTests.address
        try air.write(RadioMessage.attach(address: address, channels: 1).frame.bytes)
        try air.write(RadioMessage.of(adapter: 1, .attach(address: address, channels: 1)).frame.bytes)
        #expect(try station.servicePort(isHungUp: false) == [0, 1], "both must be watched")
        #expect(try station.servicePort(isHungUp: false) == [], "once")
        let (first, second) = (devices.all[0], devices.all[1])
        try send(.of(adapter: 1, .packet([1, 3, 0x0C, 0])))
        #expect(first.taken.isEmpty && second.taken == [.packet([1, 3, 0x0C, 0])])
        second.waiting = [.attached(name: "hci1")]
        try station.serviceDevice(1)
        try send(.of(adapter: 1, .reset(token: 5)))
        #expect(
            try received() == [
                .ready(token: 0), .of(adapter: 1, .attached(name: "hci1")), .of(adapter: 1, .ready(token: 5)),
            ])
        #expect(first.isPlugged && !second.isPlugged)
        try send(.of(adapter: 2, .attach(address: address, channels: 1)), .reset(token: 6))
        #expect(station.devices.isEmpty && devices.all.allSatisfy { !$0.isPlugged }, "a reset of the port removes all")
        try send(.of(adapter: 3, .attach(address: address, channels: 1)))
        let refused = try received().last
        #expect(refused == .of(adapter: 3, .detached(reason: "the board has no room for device 3")))
    }

    @Test("A device is added, carries messages both ways, and is removed")
    func carrying() throws {
        try send(
            .attach(address: RadioMessageTests.address, channels: 1), .packet([1, 3, 0x0C, 0]), .channels([2412]))
        let device = try #require(devices.all.first)
        #expect(device.taken == [.packet([1, 3, 0x0C, 0]), .channels([2412])])
        device.waiting = [.attached(name: "hci0"), .packet([4, 0x0E, 1, 1])]
        try station.serviceDevice(0)
        #expect(try received() == [.ready(token: 0), .attached(name: "hci0"), .packet([4, 0x0E, 1, 1])])
        try send(.detach)
        #expect(!device.isPlugged && station.devices.isEmpty)
        #expect(try received() == [.detached(reason: "")])
    }

    @Test("Messages that were read together with those of another device are sent as well")
    func readTogether() throws {
        let address = RadioMessageTests.address
        try send(.attach(address: address, channels: 1), .of(adapter: 1, .attach(address: address, channels: 1)))
        let (first, second) = (devices.all[0], devices.all[1])
        (first.waiting, first.hasWaiting) = ([.note("first")], true)
        second.waiting = [.note("second")]
        try station.serviceDevice(1)
        #expect(try received() == [.ready(token: 0), .of(adapter: 1, .note("second")), .note("first")])
        (first.waiting, first.hasWaiting) = ([.note("again")], true)
        try send(.of(adapter: 1, .detach))
        #expect(try received() == [.of(adapter: 1, .detached(reason: "")), .note("again")])
    }

    @Test("A second attach makes a new device")
    func attachTwice() throws {
        try send(
            .attach(address: RadioMessageTests.address, channels: 1),
            .attach(address: RadioMessageTests.address, channels: 1))
        #expect(devices.all.map(\.isPlugged) == [false, true])
    }

    @Test("The reason why a device cannot be made or has failed is sent to the air")
    func failures() throws {
        devices.refusal = SystemError(code: 2, action: "opening /dev/vhci")
        try send(.attach(address: RadioMessageTests.address, channels: 1))
        #expect(
            try received() == [.ready(token: 0), .detached(reason: "opening /dev/vhci: No such file or directory")])
        devices.refusal = nil
        try send(.attach(address: RadioMessageTests.address, channels: 1))
        devices.all[0].failure = SystemError(code: 5, action: "reading")
        try station.serviceDevice(0)
        #expect(station.devices.isEmpty)
        #expect(try received() == [.detached(reason: "reading: Input/output error")])
    }

    @Test("Garbage is skipped and reported, and the next message is handled")
    func garbage() throws {
        try air.write([UInt8](repeating: 0x48, count: 900) + [1, 2, 3])
        try send(.reset(token: 3))
        let messages = try received()
        #expect(messages.contains(.ready(token: 3)))
        #expect(messages.contains { if case .note = $0 { true } else { false } })
    }

    @Test("The hardware is removed when the air disconnects; a frame that was cut does not disturb the next connection")
    func reconnection() throws {
        try send(.attach(address: RadioMessageTests.address, channels: 1))
        try air.write(RadioMessage.reset(token: 1).frame.bytes.dropLast(3))
        _ = try station.servicePort(isHungUp: false)
        _ = try station.servicePort(isHungUp: true)
        #expect(devices.all.map(\.isPlugged) == [false])
        _ = try received()
        try send(.reset(token: 2))
        #expect(try received() == [.ready(token: 0), .ready(token: 2)])
    }
}

@Suite("Messages of the kernel for the air")
struct KernelMessageTests {
    @Test("The vendor packet contains the controller's name; valid packets are passed on, broken ones are not")
    func virtualController() {
        #expect(VirtualBluetooth.message(for: [0xFF, 0, 2, 1]) == .attached(name: "hci258"))
        #expect(VirtualBluetooth.message(for: [1, 3, 0x0C, 0]) == .packet([1, 3, 0x0C, 0]))
        #expect(VirtualBluetooth.message(for: [1, 3, 0x0C, 9]) == nil)
        #expect(VirtualBluetooth.message(for: [0xFF]) == nil)
    }

    @Test("A frame of mac80211_hwsim becomes a transmission")
    func transmission() {
        var message = Hwsim.Message(command: 2)
        message.attributes = [
            3: RadioMessageTests.frame, 4: littleEndian(3 as UInt32), 7: [0, 1, 11, 2, 0xFF, 0, 0xFF, 0],
            8: littleEndian(77 as UInt64), 19: littleEndian(2412 as UInt32), 21: [0, 4, 0, 11, 8, 1],
        ]
        let expected = WiFiTransmission(
            cookie: 77, flags: 3, frequency: 2412,
            rates: [WiFiRate(index: 0, tries: 1, flags: 4), WiFiRate(index: 11, tries: 2, flags: 0x108)],
            frame: RadioMessageTests.frame)
        #expect(VirtualWiFi.message(for: message) == .transmit(expected))
        message.attributes[8] = [1, 2]
        #expect(VirtualWiFi.message(for: message) == nil)
    }

    @Test("New and removed addresses of the radio are reported")
    func addresses() {
        var message = Hwsim.Message(command: 7)
        message.attributes = [1: RadioMessageTests.address.bytes]
        #expect(VirtualWiFi.message(for: message) == .hears(RadioMessageTests.address, true))
        message = Hwsim.Message(command: 8, attributes: [1: [1, 2]])
        #expect(VirtualWiFi.message(for: message) == nil)
    }
}
