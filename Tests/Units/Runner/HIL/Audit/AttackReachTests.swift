import HILRecord
import RadioModel
import RigModel
import StubRig
import TestSupport
import Testing

/// The witness of the audits' tests on boards, with packets made by hand.
@Suite("Whom the strangers of an audit reach")
struct AttackReachTests {
    private static let interfaces = ["host-hci0", "accessory-hci0", "air-wifi", "accessory-hci8"].map {
        PcapNG.Interface(name: $0, description: "", linkType: PcapNG.bluetoothH4WithDirection)
    }
    private static let lamp: [UInt8] = [2, 0, 0, 0, 2, 0xB0]
    private static let neighbour: [UInt8] = [2, 0, 0, 0x0A, 0, 1]
    private static let stranger: [UInt8] = [2, 0, 0, 0, 2, 0xB8]
    private static let radio: [UInt8] = [2, 0, 0, 0, 2, 0]
    private static let station: [UInt8] = [2, 0, 0, 0, 4, 0]
    private static let everybody: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]

    private typealias Packet = (interface: Int, bytes: [UInt8])

    /// The lamp's controller says its address.
    private static let lampsAddress: Packet = (
        1, [0, 0, 0, 1, 4, 0x0E, 10, 1, 0x09, 0x10, 0] + lamp.reversed()
    )

    private static func connect(to address: [UInt8], on interface: Int = 3) -> Packet {
        let more = [UInt8](repeating: 0, count: 17)
        return (interface, [0, 0, 0, 0, 1, 0x43, 0x20, 26, 0, 0, 0] + address.reversed() + more)
    }

    private static func linked(with address: [UInt8], on interface: Int = 3) -> Packet {
        let more = [UInt8](repeating: 0, count: 7)
        return (interface, [0, 0, 0, 1, 4, 0x3E, 19, 0x01, 0, 0x40, 0, 0, 0] + address.reversed() + more)
    }

    /// On the link 0x40 or another one.
    private static func data(on handle: UInt8 = 0x40) -> Packet { (3, [0, 0, 0, 0, 2, handle, 0, 1, 0, 9]) }

    /// A frame of data to an access point, or with other bits another one.
    private static func frame(to receiver: [UInt8], for target: [UInt8], bits: [UInt8] = [0x08, 0x01]) -> Packet {
        (2, [0, 0, 8, 0, 0, 0, 0, 0] + bits + [0, 0] + receiver + station + target)
    }

    private static func reach(_ packets: [Packet]) throws -> AttackReach {
        let capture = packets.enumerated().reduce(PcapNG.header(interfaces, application: "test")) {
            $0 + PcapNG.packet(interface: $1.element.interface, time: UInt64(10 + $1.offset), bytes: $1.element.bytes)
        }
        let strangers: [AuditNote] = [
            .stranger(address: "02:00:00:00:02:B8", interface: "accessory-hci8"),
            .stranger(address: "02:00:00:00:04:00", interface: "air-wifi"),
        ]
        return AttackReach(
            capture,
            of: strangers.map { RunLine(scenario: "s", worker: StampedEvent(time: 5, event: .audit($0))) },
            stations: [try #require(DeviceAddress(bytes: radio))])
    }

    @Test("What is for the accessory, or for everybody, is no stray")
    func accessory() throws {
        let reach = try Self.reach([
            Self.lampsAddress, Self.connect(to: Self.lamp), Self.linked(with: Self.lamp), Self.data(),
            Self.frame(to: Self.radio, for: Self.radio), Self.frame(to: Self.radio, for: Self.everybody),
            Self.frame(to: Self.everybody, for: Self.everybody, bits: [0x40, 0]),
            // Of the phone: it may do what it likes.
            Self.connect(to: Self.neighbour, on: 0), Self.linked(with: Self.neighbour, on: 0),
        ])
        #expect(reach.strays == [])
        #expect((reach.links, reach.packets, reach.frames) == (1, 1, 3))
    }

    @Test("An address that the accessory takes for a time is its own")
    func privateAddress() throws {
        let address: [UInt8] = [0x4A, 1, 2, 3, 4, 5]
        let taken: Packet = (1, [0, 0, 0, 0, 1, 0x35, 0x20, 7, 0] + address.reversed())
        #expect(try Self.reach([Self.connect(to: address), taken]).strays == [])
    }

    @Test("What is for somebody else is told with its frame", arguments: 0..<8)
    func strays(_ place: Int) throws {
        let strays: [(packets: [Packet], told: String)] = [
            ([Self.connect(to: Self.neighbour)], "a stranger's command is for 02:00:00:0A:00:01"),
            ([Self.linked(with: Self.neighbour)], "a stranger has a link with 02:00:00:0A:00:01"),
            ([Self.data(on: 0x41)], "data for a link that is none"),
            ([Self.linked(with: Self.stranger, on: 0)], "host-hci0 has a link with the stranger 02:00:00:00:02:B8"),
            ([(3, [0, 0, 0, 0, 1, 0xFF, 0x2F, 0])], "a stranger's controller gets the command 0x2fff, unknown here"),
            ([Self.frame(to: Self.neighbour, for: Self.radio)], "a stranger's station sends to 02:00:00:0A:00:01"),
            (
                [Self.frame(to: Self.radio, for: Self.neighbour)],
                "a stranger's frame is passed on to 02:00:00:0A:00:01"
            ),
            ([(3, [0, 0, 0, 0, 9])], "cannot be read"),
        ]
        let (packets, told) = strays[place]
        #expect(try Self.reach([Self.lampsAddress] + packets).strays == ["2: \(told)"])
    }

    @Test("A link that has ended takes no data, and a controller that is a host stack's now is no stranger's")
    func changes() throws {
        let ended: Packet = (3, [0, 0, 0, 1, 4, 0x05, 4, 0, 0x40, 0, 0x13])
        let reach = try Self.reach([Self.lampsAddress, Self.linked(with: Self.lamp), ended, Self.data()])
        #expect(reach.strays == ["4: data for a link that is none"])
        let capture = [Self.linked(with: Self.neighbour), Self.data()].reduce(
            PcapNG.header(Self.interfaces, application: "test")
        ) { $0 + PcapNG.packet(interface: $1.interface, time: 10, bytes: $1.bytes) }
        let address = try #require(DeviceAddress(bytes: Self.stranger))
        let story: [(UInt64, ScenarioEvent)] = [
            (5, .audit(.stranger(address: "\(address)", interface: "accessory-hci8"))),
            (7, .onAir(address, "host stack 8 (lamp)")),
        ]
        let lines = story.map { RunLine(scenario: "s", worker: StampedEvent(time: $0.0, event: $0.1)) }
        #expect(AttackReach(capture, of: lines, stations: []).strays == [])
    }

    @Test(
        "On a bench a stranger's turn of the phone's controller is told by its address, whatever the time of its packets"
    )
    func borrowed() throws {
        let reset: Packet = (0, [0, 0, 0, 0, 1, 0x03, 0x0C, 0])
        func takes(_ address: [UInt8]) -> Packet { (0, [0, 0, 0, 0, 1, 0x05, 0x20, 6] + address.reversed()) }
        func scans(filter: UInt8) -> Packet { (0, [0, 0, 0, 0, 1, 0x41, 0x20, 8, 1, filter, 1, 1, 0, 0, 0, 0]) }
        let phones: [Packet] = [
            reset, takes([0x4A, 1, 2, 3, 4, 5]), scans(filter: 0), Self.connect(to: Self.neighbour, on: 0),
        ]
        let reach = try Self.reach(
            [Self.lampsAddress] + phones
                + [reset, takes(Self.stranger), scans(filter: 1), Self.connect(to: Self.lamp, on: 0)] + phones)
        #expect(reach.strays == [])
        #expect(reach.turns == 1)
        for (stray, told) in [
            (Self.connect(to: Self.neighbour, on: 0), "a stranger's command is for 02:00:00:0A:00:01"),
            (scans(filter: 0), "a stranger asks everybody for a scan response"),
        ] {
            #expect(try Self.reach([Self.lampsAddress, reset, takes(Self.stranger), stray]).strays == ["4: \(told)"])
        }
    }

    @Test("Bytes of any kind are read without an end", arguments: 0..<200)
    func noise(_ seed: Int) throws {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let packets = (0..<40).map { _ -> Packet in
            let count = Int.random(in: 0...40, using: &numbers)
            return (
                Int.random(in: 0...3, using: &numbers),
                [0, 0, 0, .random(in: 0...1, using: &numbers), .random(in: 1...5, using: &numbers)].prefix(count)
                    + (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            )
        }
        let reach = try Self.reach(packets)
        #expect(reach.strays.count <= packets.count * 3)
    }
}
