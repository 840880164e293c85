import HILBlueZ
import RadioModel
import Testing

/// What a program's Bluetooth sockets are bound to, in place of what it asked for.
@Suite("The names of Bluetooth sockets")
struct SocketNameTests {
    private static let address = DeviceAddress("11:22:33:44:55:66")!
    private static let reversed: [UInt8] = [0x66, 0x55, 0x44, 0x33, 0x22, 0x11]

    private static func turned(_ bytes: [UInt8]) -> [UInt8]? {
        guard var name = SocketName(bytes) else { return nil }
        let changed = name.turn(to: 2, address)
        #expect(changed == (name.bytes != bytes))
        return name.bytes
    }

    @Test("A socket of a controller is bound to the own one, one of all stays so")
    func controllers() {
        #expect(Self.turned([31, 0, 0, 0, 1, 0]) == [31, 0, 2, 0, 1, 0])
        #expect(Self.turned([31, 0, 2, 0, 0, 0]) == [31, 0, 2, 0, 0, 0])
        #expect(Self.turned([31, 0, 0xFF, 0xFF, 2, 0]) == [31, 0, 0xFF, 0xFF, 2, 0])
    }

    @Test("Only the control channel is the management interface's")
    func management() {
        #expect(SocketName([31, 0, 0xFF, 0xFF, 3, 0])?.isManagement == true)
        #expect(SocketName([31, 0, 0xFF, 0xFF, 2, 0])?.isManagement == false)
    }

    @Test("A channel without an address gets the own one; an address that was given stays")
    func channels() {
        let zeros = [UInt8](repeating: 0, count: 6)
        // L2CAP: PSM, address, CID, type. RFCOMM: address, channel.
        #expect(
            Self.turned([31, 0, 0x80, 0] + zeros + [0, 0, 1, 0]) == [31, 0, 0x80, 0] + Self.reversed + [0, 0, 1, 0])
        #expect(Self.turned([31, 0] + zeros + [3, 0]) == [31, 0] + Self.reversed + [3, 0])
        let given: [UInt8] = [31, 0, 0x80, 0, 1, 2, 3, 4, 5, 6, 0, 0, 1, 0]
        #expect(Self.turned(given) == given)
    }

    @Test("Another family, or too little, is no such name", arguments: [[], [31], [2, 0, 0, 0, 0, 0], [31, 0, 0, 0]])
    func others(bytes: [UInt8]) { #expect(SocketName(bytes) == nil) }
}
