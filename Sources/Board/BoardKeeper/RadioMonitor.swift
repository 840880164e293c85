import BoardProtocol
import Glibc
import HILCBluetooth
import HILPOSIX

/// Listens to what goes between a board's kernel and its Bluetooth adapter, as btmon does: the kernel's monitor channel
/// (`net/bluetooth/hci_sock.c` of Linux, `monitor/packet.c` of BlueZ).
final class RadioMonitor: Sendable {
    private let socket: Descriptor
    private let wakeUp: (read: Descriptor, write: Descriptor)

    /// - Parameter take: Called with each packet of this adapter, in order, on a thread of its own.
    init(adapter: UInt16, _ take: @escaping @Sendable (CapturedBytes) -> Void) throws(SystemError) {
        let action = "opening the Bluetooth monitor channel"
        let raw = try valueOrErrno("socket", action) {
            Glibc.socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        }
        socket = Descriptor(adopting: raw)
        wakeUp = try Descriptor.pipe()
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = UInt16(HCI_CHANNEL_MONITOR)
        try valueOrErrno("bind", action) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(raw, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
                }
            }
        }
        startThread(named: "monitor") { [socket, wakeUp] in
            var files = [
                pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&files, 2, -1) > 0 || errno == EINTR {
                guard files[1].revents == 0 else { return }
                guard files[0].revents != 0 else { continue }
                guard let message = try? socket.read(upTo: 16384), !message.isEmpty else { return }
                if let packet = RadioMonitor.packet(of: message, adapter: adapter, time: wallClockNanoseconds()) {
                    take(packet)
                }
            }
        }
    }

    deinit { stop() }

    func stop() { wakeUp.write.close() }

    /// Reads a message: opcode, adapter and length, 16 bits each, little-endian, and then the packet without its H4
    /// type, which the opcode gives. nil for messages that are no packets, and for those of other adapters.
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
