import HILRecord
import RadioModel
import RigModel
import Testing

@testable import HILExecution

@Suite("The frames of an attack")
struct AttackFramesTests {
    private static let interfaces = ["host-hci0", "accessory-hci0", "air-wifi", "accessory-hci8"].map {
        PcapNG.Interface(name: $0, description: "", linkType: PcapNG.bluetoothH4WithDirection)
    }
    /// Data of a link, a report of an advertisement, and another event.
    private static let data: [UInt8] = [0, 0, 0, 0, 2, 0x40, 0, 4, 0]
    private static let report: [UInt8] = [0, 0, 0, 1, 4, 0x3E, 10, 0x02, 1]
    private static let other: [UInt8] = [0, 0, 0, 1, 4, 0x0E, 4, 1, 2]
    private static let stationAddress: [UInt8] = [2, 0, 0, 0, 9, 0xC0]

    private static func frame(to: [UInt8], from: [UInt8]) -> [UInt8] {
        [0, 0, 8, 0, 0, 0, 0, 0] + [0x80, 0, 0, 0] + to + from
    }

    private static func capture(_ packets: [(interface: Int, time: UInt64, bytes: [UInt8])]) -> [UInt8] {
        packets.reduce(PcapNG.header(interfaces, application: "test")) {
            $0 + PcapNG.packet(interface: $1.interface, time: $1.time, bytes: $1.bytes)
        }
    }

    private static func story(_ notes: (UInt64, AuditNote)...) -> [RunLine] {
        notes.map { RunLine(scenario: "s", worker: StampedEvent(time: $0, event: .audit($1))) }
    }

    @Test("A note has the stranger's data since the note before, and no packet of anybody else")
    func notes() throws {
        let capture = Self.capture([
            (0, 10, Self.data), (3, 11, Self.data), (3, 12, Self.report), (3, 13, Self.other), (3, 20, Self.data),
            (1, 21, Self.data), (3, 25, Self.data), (3, 26, Self.data), (3, 40, Self.data),
        ])
        let story = Self.story(
            (5, .began), (6, .stranger(address: "02:00:00:00:02:B8", interface: "accessory-hci8")),
            (20, .tried(text: "one")), (30, .tried(text: "two")))
        #expect(AttackFrames.find(in: capture, of: story)?.map(\.numbers) == [[2, 5], [7, 8]])
    }

    @Test("A stranger who only listens has what it heard")
    func heard() {
        let capture = Self.capture([(3, 10, Self.report), (3, 11, Self.other), (0, 12, Self.report)])
        let story = Self.story(
            (6, .stranger(address: "02:00:00:00:02:B8", interface: "accessory-hci8")), (20, .tried(text: "one")))
        #expect(AttackFrames.find(in: capture, of: story)?.map(\.numbers) == [[1]])
    }

    @Test("A stranger who borrows the phone's controller has its packets as long as it has it")
    func borrowed() throws {
        let capture = Self.capture([
            (0, 4, Self.data), (0, 10, Self.data), (0, 20, Self.data), (0, 26, Self.data), (0, 40, Self.data),
        ])
        let stranger = AuditNote.stranger(address: "C2:00:00:00:02:B8", interface: "host-hci0")
        let phone = try #require(DeviceAddress("02:00:00:00:01:B0"))
        let events: [(UInt64, ScenarioEvent)] = [
            (2, .onAir(phone, "the phone")), (8, .audit(stranger)), (12, .audit(.tried(text: "one"))),
            (15, .onAir(phone, "the phone")), (25, .audit(stranger)), (30, .audit(.tried(text: "two"))),
        ]
        let story = events.map { RunLine(scenario: "s", worker: StampedEvent(time: $0.0, event: $0.1)) }
        #expect(AttackFrames.find(in: capture, of: story)?.map(\.numbers) == [[2], [4]])
    }

    @Test("A stranger's station has the frames from it and to it")
    func station() {
        let router: [UInt8] = [2, 0, 0, 0, 1, 0]
        let capture = Self.capture([
            (2, 10, Self.frame(to: router, from: Self.stationAddress)), (2, 11, Self.frame(to: router, from: router)),
            (2, 12, Self.frame(to: Self.stationAddress, from: router)), (2, 13, [0, 0, 99, 0]), (2, 14, []),
        ])
        let story = Self.story(
            (6, .stranger(address: "02:00:00:00:09:C0", interface: "air-wifi")), (20, .tried(text: "one")))
        #expect(AttackFrames.find(in: capture, of: story)?.map(\.numbers) == [[1, 3]])
    }

    @Test("A story without notes has none, and a capture that is cut or empty gives what it has")
    func nothing() {
        #expect(AttackFrames.find(in: Self.capture([]), of: Self.story((1, .began))) == nil)
        #expect(AttackFrames.find(in: [], of: Self.story((1, .tried(text: "one"))))?.map(\.count) == [0])
        #expect(AttackFrames.find(in: "/nowhere", of: Self.story((1, .tried(text: "one")))) == nil)
    }
}
