import BoardProtocol
import HILBlueZ
import HILPOSIX

/// Captures the traffic between a board's kernel and its Bluetooth adapter, as btmon does: the kernel's monitor channel
/// (`net/bluetooth/hci_sock.c` of Linux, `monitor/packet.c` of BlueZ).
final class RadioMonitor: Sendable {
    private let thread: PacketThread

    /// - Parameter take: Called with each packet of this adapter, in order, on a separate thread.
    init(adapter: UInt16, _ take: @escaping @Sendable (CapturedBytes) -> Void) throws(SystemError) {
        thread = try PacketThread("monitor", reading: HCISocket.open(.monitor), upTo: 16384) { message in
            let packet = RadioMonitor.packet(of: message, adapter: adapter, time: wallClockNanoseconds())
            if let packet { take(packet) }
        }
    }

    func stop() { thread.stop() }

    /// Reads a message: opcode, adapter and length, 16 bits each, little-endian, and then the packet without its H4
    /// type, which the opcode gives. Nil for messages without a packet, and for those of other adapters.
    static func packet(of message: [UInt8], adapter: UInt16, time: UInt64) -> CapturedBytes? {
        func number(_ offset: Int) -> UInt16 { UInt16(message[offset]) | UInt16(message[offset + 1]) << 8 }
        guard message.count > 6, number(2) == adapter, Int(number(4)) == message.count - 6 else { return nil }
        let (kind, type): (CapturedBytes.Kind, UInt8)
        switch number(0) {
        case 2: (kind, type) = (.sentToController, 1)
        case 3: (kind, type) = (.receivedFromController, 4)
        case 4: (kind, type) = (.sentToController, 2)
        case 5: (kind, type) = (.receivedFromController, 2)
        case 6: (kind, type) = (.sentToController, 3)
        case 7: (kind, type) = (.receivedFromController, 3)
        case 18: (kind, type) = (.sentToController, 5)
        case 19: (kind, type) = (.receivedFromController, 5)
        default: return nil
        }
        return CapturedBytes(
            kind: kind, adapter: UInt8(truncatingIfNeeded: adapter), time: time, bytes: [type] + message[6...])
    }
}
