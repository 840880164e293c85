import RadioModel
import Testing

@testable import BlueZ

@Suite struct ManagementEventTests {
    private let address: [UInt8] = [0xB0, 0x02, 0, 0, 0, 0x02, 1]
    private let die = DeviceAddress("02:00:00:00:02:B0")!

    private func packet(_ event: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [event, 0, UInt16(parameters.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + parameters
    }

    @Test(
        "The type of a long term key tells how strong the bond is",
        arguments: [(0, false, false), (1, false, true), (2, true, false), (3, true, true)] as [(UInt8, Bool, Bool)])
    func bond(type: UInt8, isSecureConnections: Bool, isAuthenticated: Bool) {
        let key =
            [1] + address + [type, 0, 16] + [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 0xEE, count: 16)
        #expect(
            ManagementEvent(decoding: packet(0x0A, key))
                == .bonded(die, Bond(isSecureConnections: isSecureConnections, isAuthenticated: isAuthenticated)))
    }

    @Test("Links and reports are told with address, reason and signal")
    func links() {
        #expect(
            ManagementEvent(decoding: packet(0x0B, address + [0, 0, 0, 0, 0, 0])) == .connected(die))
        #expect(
            ManagementEvent(decoding: packet(0x0C, address + [1])) == .disconnected(die, reason: .timeout))
        let name: [UInt8] = [4, 0x09] + Array("Die".utf8)
        var data = AdvertisingData()
        data.name = "Die"
        #expect(
            ManagementEvent(decoding: packet(0x12, address + [0xD8, 0, 0, 0, 0, 5, 0] + name))
                == .deviceFound(die, rssi: -40, data))
        #expect(
            ManagementEvent(decoding: packet(0x12, address + [127, 0, 0, 0, 0, 0, 0]))
                == .deviceFound(die, rssi: nil, AdvertisingData()))
    }

    @Test("BR/EDR addresses, unknown events and packets cut at any place are no events")
    func hostilePackets() {
        let reports = [
            packet(0x12, address + [0xD8, 0, 0, 0, 0, 5, 0, 4, 0x09, 0x44, 0x69, 0x65]), packet(0x0C, address + [1]),
        ]
        for report in reports {
            for length in 0..<report.count { #expect(ManagementEvent(decoding: Array(report[..<length])) == nil) }
        }
        #expect(ManagementEvent(decoding: packet(0x0B, [1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0])) == nil)
        #expect(ManagementEvent(decoding: packet(0x7777, address)) == nil)
        #expect(ManagementEvent(decoding: packet(0x12, address + [0xD8, 0, 0, 0, 0, 0xFF, 0xFF])) == nil)
    }
}
