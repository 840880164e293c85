import RadioModel
import Testing

@testable import HILBlueZ

@Suite struct ManagementEventTests {
    private let address: [UInt8] = [0xB0, 0x02, 0, 0, 0, 0x02, 1]
    private let die = DeviceAddress("02:00:00:00:02:B0")!

    private func packet(_ event: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        [event, 0, UInt16(parameters.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + parameters
    }

    @Test(
        "The type of a long term key gives the strength of the bond",
        arguments: [(0, false, false), (1, false, true), (2, true, false), (3, true, true)] as [(UInt8, Bool, Bool)])
    func bond(type: UInt8, isSecureConnections: Bool, isAuthenticated: Bool) {
        let key =
            [1] + address + [type, 0, 16] + [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 0xEE, count: 16)
        #expect(
            ManagementEvent(decoding: packet(0x0A, key))
                == .bonded(die, Bond(isSecureConnections: isSecureConnections, isAuthenticated: isAuthenticated)))
    }

    @Test("A link key gives its strength, and an identity key gives the identity address")
    func keys() {
        let classic: [UInt8] = [0xB0, 0x02, 0, 0, 0, 0x02, 0]
        for (type, isSecure, isAuthenticated) in [
            (4, false, false), (5, false, true), (7, true, false), (8, true, true),
        ]
            as [(UInt8, Bool, Bool)]
        {
            let key = [1] + classic + [type] + [UInt8](repeating: 0xEE, count: 16) + [0]
            #expect(
                ManagementEvent(decoding: packet(0x09, key))
                    == .classicKey(die, Bond(isSecureConnections: isSecure, isAuthenticated: isAuthenticated)))
            #expect(ManagementEvent(decoding: packet(0x09, key.dropLast())) == nil, "cut short")
        }
        let identity = [1, 6, 5, 4, 3, 2, 0x41] + address + [UInt8](repeating: 0xEE, count: 16)
        #expect(
            ManagementEvent(decoding: packet(0x18, identity))
                == .identified(privateAddress: DeviceAddress("41:02:03:04:05:06")!, identity: die))
        #expect(ManagementEvent(decoding: packet(0x18, identity.dropLast())) == nil, "cut short")
    }

    @Test("Replies contain controller, command and status; an incomplete reply is refused")
    func replies() throws {
        let information = [0x31, 0, 0] + address + [0xD8, 0, 0]
        let reply = try #require(ManagementReply(decoding: packet(0x01, information)))
        #expect(ManagementReply(decoding: [1, 0, 2, 1, 3, 0, 0x2A, 0, 0])?.controller == 0x0102)
        #expect(reply.code == 0x31 && reply.status == 0)
        #expect(ManagementReply(decoding: packet(0x02, [0x2A, 0, 0x0B]))?.status == 0x0B)
        #expect(ManagementReply(decoding: packet(0x02, [0x2A, 0])) == nil)
        #expect(
            ManagementReply(decoding: [1, 0, 0, 0, 2, 0, 0x2A, 0, 0]) == nil, "its length leaves no room for a status")
        #expect(ManagementReply(decoding: packet(0x0B, address)) == nil)
    }

    @Test("An advertisement that starts is told, and the number of those under way is read")
    func advertisements() throws {
        #expect(ManagementEvent(decoding: packet(0x23, [1])) == .advertisingStarted)
        #expect(ManagementEvent(decoding: packet(0x04, [])) == .controllerAdded)
        #expect(ManagementEvent(decoding: packet(0x06, [0x01, 0, 0, 0])) == .settingsChanged)
        // Flags, the longest data and scan response, the most instances, and the numbers of two of them.
        let features: [UInt8] = [0x3D, 0, 0, 0xFF, 0, 0, 0, 31, 31, 5, 2, 1, 2]
        #expect(ManagementReply(decoding: packet(0x01, features))?.advertisements == 2)
        #expect(ManagementReply(decoding: packet(0x01, Array(features.prefix(9))))?.advertisements == nil)
        #expect(ManagementReply(decoding: packet(0x01, [0x31] + features.dropFirst()))?.advertisements == nil)
    }

    @Test("Events of links and reports contain address and signal")
    func links() {
        #expect(
            ManagementEvent(decoding: packet(0x0B, address + [0, 0, 0, 0, 0, 0])) == .connected(die))
        #expect(ManagementEvent(decoding: packet(0x0C, address + [1])) == .disconnected(die))
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

    @Test("BR/EDR addresses, unknown events and incomplete packets give no events")
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

    @Test("The command that sets the connection parameters a peripheral asks for has one value of each kind")
    func connectionParameters() {
        let parameters = ConnectionParameters(shortestInterval: 0x18, longestInterval: 0x28, latency: 4, timeout: 0x258)
        #expect(
            ManagementCommand.setDefaultConnectionParameters(parameters).parameters
                == [0x17, 0, 2, 0x18, 0, 0x18, 0, 2, 0x28, 0, 0x19, 0, 2, 4, 0, 0x1A, 0, 2, 0x58, 0x02])
    }
}
