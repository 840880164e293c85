import Glibc
import HILCBluetooth
import HILPOSIX
import HILTiming
import RadioModel

/// Reads properties of a controller beside the kernel and bluetoothd, and changes nothing.
package enum ControllerQuery {
    /// `HCIGETDEVINFO` of `bluetooth/hci.h`, which Swift does not import: `_IOR('H', 211, int)`.
    private static let getInformation: UInt = 0x8004_48D3

    /// The public address of a controller, also of one that a program has for itself; nil if there is no such controller.
    package static func address(of controller: UInt16) -> DeviceAddress? {
        let raw = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        guard raw >= 0 else { return nil }
        let socket = Descriptor(adopting: raw)
        var information = hci_dev_info()
        information.dev_id = controller
        guard ioctl(socket.raw, getInformation, &information) == 0 else { return nil }
        return DeviceAddress(bytes: withUnsafeBytes(of: information.bdaddr) { Array($0.reversed()) })
    }

    /// The LE features and the supported states of a controller that is switched on.
    ///
    /// Both commands only read: LE Read Local Supported Features and LE Read Supported States (Core Specification 6.0,
    /// Vol 4, Part E, 7.8.3 and 7.8.27).
    ///
    /// - Throws: ``SystemError``: `ENETDOWN` if the controller is off or a program has it for itself; ``TimedOut``.
    package static func abilities(of controller: UInt16) async throws -> (features: UInt64, states: UInt64)? {
        let socket = try HCISocket.open(.raw(controller))
        try socket.setNonBlocking()
        guard let features = try await ask(0x2003, on: socket), let states = try await ask(0x201C, on: socket) else {
            return nil
        }
        return (features, states)
    }

    /// Sends a command without parameters.
    ///
    /// - Returns: The first eight bytes of its answer after the status, little-endian; nil if the controller refuses.
    private static func ask(_ opcode: UInt16, on socket: Descriptor) async throws -> UInt64? {
        // Only events, and of them only Command Complete and Command Status for this command.
        var filter = hci_filter(
            type_mask: 1 << 4, event_mask: (1 << 0x0E | 1 << 0x0F, 0), opcode: opcode.littleEndian)
        try valueOrErrno("setsockopt", "asking a Bluetooth controller") {
            // SOL_HCI is 0.
            setsockopt(socket.raw, 0, HCI_FILTER, &filter, socklen_t(MemoryLayout<hci_filter>.size))
        }
        try socket.write([1, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0])
        return try await withDeadline(.seconds(2), waitingFor: "the Bluetooth controller's answer") {
            while true {
                try await waitUntilReady(socket)
                if let answer = Answer(try socket.read(), to: opcode) { return answer.value }
            }
        }
    }

    /// The answer to a command.
    struct Answer: Equatable {
        /// nil if the controller refuses.
        let value: UInt64?

        /// Reads an H4 packet; nil for anything else than an answer to this command.
        init?(_ packet: [UInt8], to opcode: UInt16) {
            let code = [UInt8(opcode & 0xFF), UInt8(opcode >> 8)]
            // Type, event, length.
            guard packet.count >= 7, packet[0] == 4, Int(packet[2]) == packet.count - 3 else { return nil }
            switch packet[1] {
            // Number of packets, opcode, status, values.
            case 0x0E where Array(packet[4...5]) == code:
                guard packet[6] == 0, packet.count >= 15 else {
                    value = nil
                    return
                }
                value = (0..<8).reduce(0) { $0 | UInt64(packet[7 + $1]) << (8 * UInt64($1)) }
            // Status, number of packets, opcode: the controller does not know the command.
            case 0x0F where Array(packet[5...6]) == code: value = nil
            default: return nil
            }
        }
    }
}
