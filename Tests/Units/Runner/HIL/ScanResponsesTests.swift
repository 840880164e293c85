import HILPhone
import RadioModel
import TestSupport
import Testing

@testable import HIL

@Suite("Services that are in a scan response alone")
struct ScanResponsesTests {
    private static let device = DeviceAddress("02:00:00:00:00:B0")!
    private static let service = BluetoothUUID("180F")!
    private static let other = BluetoothUUID("180A")!

    /// A legacy report: 0 of an advertisement that answers scans, 3 of one that does not, 4 of a scan response.
    private static func legacy(_ kind: UInt8, of device: DeviceAddress = device) -> [UInt8] {
        [0, 0, 0, 1, 4, 0x3E, 15, 0x02, 1, kind, 0] + device.bytes.reversed() + [3, 2, 1, 6, 0xC0]
    }
    /// An extended report, of a legacy advertisement or not.
    private static func extended(_ kind: UInt8) -> [UInt8] {
        [0, 0, 0, 1, 4, 0x3E, 26, 0x0D, 1, kind, 0, 0] + device.bytes.reversed()
            + [UInt8](repeating: 0, count: 14) + [0]
    }
    /// The command that gives a controller its scan response.
    private static func answer(_ service: UInt8, isExtended: Bool = false) -> [UInt8] {
        let data: [UInt8] = [3, 0x03, service, 0x18]
        return [0, 0, 0, 0, 1]
            + (isExtended
                ? [0x38, 0x20, 8, 0, 3, 1, 4] + data
                : [0x09, 0x20, 32, 4] + data + [UInt8](repeating: 0, count: 27))
    }

    private static func reasons(
        heard: [[UInt8]], sent: [[UInt8]] = [],
        unlisted: NearMiss.Unlisted? = .init(services: [service], device: device)
    ) -> [String] {
        var miss = NearMiss(search: "the scan", heard: "Latch 2", reasons: ["it lists no service"])
        miss.unlisted = unlisted
        var responses = ScanResponses()
        responses.read(pcapng([("host-hci0", heard), ("accessory-hci0", sent)]))
        return Array(responses.explaining(miss).reasons.dropFirst())
    }

    @Test("A scan response that was not heard is a reason, with the controller that would have answered")
    func unheard() {
        let maybe = ["its scan response, which may have the service, was not heard"]
        let there = [
            "a scan response of accessory-hci0 lists \(Self.service.namedText), and the phone heard no scan response of "
                + "this device: the service is only there"
        ]
        #expect(Self.reasons(heard: [Self.legacy(0)]) == maybe)
        #expect(Self.reasons(heard: [Self.extended(0x13)]) == maybe)
        #expect(Self.reasons(heard: [Self.legacy(0)], sent: [Self.answer(0x0A)]) == maybe, "another service")
        #expect(Self.reasons(heard: [Self.legacy(0)], sent: [Self.answer(0x0F)]) == there)
        #expect(Self.reasons(heard: [Self.legacy(0)], sent: [Self.answer(0x0F, isExtended: true)]) == there)
        #expect(
            Self.reasons(heard: [Self.legacy(0)], sent: [Self.answer(0x0F), Self.answer(0x0A)]) == maybe, "the last")
    }

    @Test("It is none where it was heard, where nobody asks for it, or where the search was for something else")
    func heard() {
        #expect(Self.reasons(heard: [Self.legacy(0), Self.legacy(4)]).isEmpty)
        #expect(Self.reasons(heard: [Self.legacy(4), Self.legacy(0)]).isEmpty)
        #expect(Self.reasons(heard: [Self.extended(0x13), Self.extended(0x1B)]).isEmpty)
        #expect(Self.reasons(heard: [Self.legacy(3)]).isEmpty, "it cannot be scanned")
        #expect(Self.reasons(heard: []).isEmpty)
        #expect(Self.reasons(heard: [Self.legacy(0)], unlisted: nil).isEmpty)
        let stranger = DeviceAddress("02:00:00:00:00:B1")!
        #expect(Self.reasons(heard: [Self.legacy(0, of: stranger)]).isEmpty)
    }

    @Test("No bytes of a capture end the reader")
    func hostile() {
        var numbers = SeededNumbers(seed: 34)
        let packets = [Self.legacy(0), Self.extended(0x13), Self.answer(0x0F), Self.answer(0x0F, isExtended: true)]
        for _ in 0..<3_000 {
            var packet = packets.randomElement(using: &numbers)!
            packet[Int.random(in: 5..<packet.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
            packet = Array(packet.prefix(.random(in: 0...packet.count, using: &numbers)))
            _ = Self.reasons(heard: [packet], sent: [packet])
        }
    }
}
