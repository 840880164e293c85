import HILPOSIX
import RadioModel
import RigModel

/// Where a stub rig's phone gets its controller.
struct StubPhone: PhoneControllerControl {
    let socket: String

    func attachPhone() async throws -> HostStackPort {
        HostStackPort(adapter: .phone, address: StubController.address, socket: socket)
    }

    func detachPhone() async throws {}
}

/// A controller that accepts every command and hears nothing.
package final class StubController: Sendable {
    static let address = DeviceAddress(bytes: [2, 0, 0, 0, 1, 0xB0])!  // six bytes

    private let socket: Descriptor

    package init(_ socket: Descriptor) {
        self.socket = socket
        startThread(named: "stub-hci") {
            var reader = H4Reader(sentBy: .host)
            while let bytes = try? socket.read(), !bytes.isEmpty {
                reader.push(bytes)
                while let packet = try? reader.next() {
                    // Commands only: no link carries data.
                    if packet[0] == 1 { try? socket.write(StubController.answer(to: packet)) }
                }
            }
            socket.close()
        }
    }

    deinit { socket.shutDown() }

    /// Command Complete, with the values that a host cannot do without. Source: Core Specification 6.0, Vol 4, Part E,
    /// 7.7.14.
    private static func answer(to command: [UInt8]) -> [UInt8] {
        let values: [UInt8] =
            switch UInt16(command[1]) | UInt16(command[2]) << 8 {
            case 0x1001: [13, 0, 0, 13, 0xFF, 0xFF, 0, 0]
            case 0x1002: [UInt8](repeating: 0, count: 64)
            case 0x1009: address.bytes.reversed()
            case 0x2002: [251, 0, 8]
            case 0x2003: [1, 0, 0, 0, 0, 0, 0, 0]
            default: []
            }
        return [4, 0x0E, UInt8(4 + values.count), 1, command[1], command[2], 0] + values
    }
}
