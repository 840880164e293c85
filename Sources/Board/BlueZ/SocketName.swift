import Glibc
import HILCBluetooth
import RadioModel

/// The name that a Bluetooth socket is bound to (`bluetooth/bluetooth.h` and its neighbours). Its kinds have different
/// lengths.
package struct SocketName: Sendable, Equatable {
    package private(set) var bytes: [UInt8]

    /// Nil for a socket of another family.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 6, bytes[0] == UInt8(AF_BLUETOOTH), bytes[1] == 0 else { return nil }
        self.bytes = bytes
    }

    /// Family, controller, channel: 2 bytes each. All numbers here are in the byte order of the machine.
    private var isController: Bool { bytes.count == MemoryLayout<sockaddr_hci>.size }
    private var channel: UInt16 { UInt16(bytes[4]) | UInt16(bytes[5]) << 8 }
    package var isManagement: Bool { isController && channel == UInt16(HCI_CHANNEL_CONTROL) }

    /// Replaces any controller by this one, and an empty address by its address.
    ///
    /// - Returns: Whether something changed.
    package mutating func turn(to controller: UInt16, _ address: DeviceAddress) -> Bool {
        let before = bytes
        if isController {
            if bytes[2] != 0xFF || bytes[3] != 0xFF {
                (bytes[2], bytes[3]) = (UInt8(controller & 0xFF), UInt8(controller >> 8))
            }
        } else if let place = addressPlace, bytes[place..<place + 6].allSatisfy({ $0 == 0 }) {
            bytes.replaceSubrange(place..<place + 6, with: address.bytes.reversed())
        }
        return bytes != before
    }

    /// Where the address stands: after the family, and in L2CAP after the port as well.
    private var addressPlace: Int? {
        switch bytes.count {
        case MemoryLayout<sockaddr_l2>.size: 4
        // RFCOMM and SCO.
        case 8...10: 2
        default: nil
        }
    }
}
