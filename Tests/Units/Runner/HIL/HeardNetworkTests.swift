import RadioModel
import Testing

@testable import HIL

@Suite("The networks that an accessory announces")
struct HeardNetworkTests {
    private static let radio: [UInt8] = [2, 0, 0, 0, 2, 0]
    private static let everybody = [UInt8](repeating: 0xFF, count: 6)

    /// A beacon, or a probe response, after a radiotap header without fields.
    private static func announcement(
        kind subtype: UInt8 = 8, from: [UInt8] = radio, capabilities: UInt8 = 0x11, _ elements: [UInt8]
    ) -> [UInt8] {
        [0, 0, 8, 0, 0, 0, 0, 0, subtype << 4, 0, 0, 0] + everybody + from + from + [0, 0]
            + [UInt8](repeating: 0, count: 10) + [capabilities, 4] + elements
    }

    private static let name: [UInt8] = [0, 4] + Array("Lamp".utf8)
    private static let wpa2: [UInt8] = [
        48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 2, 0, 0,
    ]

    private static func heard(_ packets: [[UInt8]]) throws -> [HeardNetwork] {
        HeardNetwork.all(
            in: pcapng([("air-wifi", packets)]), of: try #require(DeviceAddress("02:00:00:00:02:00")))
    }

    @Test("Each different announcement of the accessory's radio is told once, those of others never")
    func ownOnly() throws {
        let open = Self.announcement(capabilities: 0x01, Self.name)
        let second: [UInt8] = [2, 0, 0, 0, 2, 0x81]
        let all = try Self.heard([
            open, open, Self.announcement(from: [2, 0, 0, 0, 3, 0], Self.name + Self.wpa2),
            Self.announcement(kind: 5, from: second, Self.name + Self.wpa2), Self.announcement(kind: 4, Self.name),
        ])
        #expect(all.map(\.ssid) == ["Lamp", "Lamp"])
        #expect(all.map(\.security) == [.open, .wpa2])
        #expect(all.last?.description == "“Lamp”, wpa2, management frames not protected")
    }

    @Test("An announcement that is cut anywhere is read without a trap")
    func cut() throws {
        let whole = Self.announcement(Self.name + Self.wpa2)
        for count in whole.indices { _ = try Self.heard([Array(whole.prefix(count))]) }
    }
}
