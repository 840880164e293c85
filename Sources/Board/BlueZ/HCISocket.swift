import Glibc
import HILCBluetooth
import HILPOSIX

/// Sockets of the kernel's Bluetooth (`net/bluetooth/hci_sock.c` of Linux).
package enum HCISocket {
    /// A channel of the kernel for all controllers.
    package enum Channel: Sendable {
        /// Management commands and events.
        case control
        /// A copy of everything between the kernel and its controllers.
        case monitor

        fileprivate var number: UInt16 { UInt16(self == .control ? HCI_CHANNEL_CONTROL : HCI_CHANNEL_MONITOR) }
    }

    /// Opens a channel. One read gives one packet.
    ///
    /// - Throws: ``SystemError``: `EAFNOSUPPORT` if the kernel has no Bluetooth, `EPERM` without `CAP_NET_ADMIN`.
    package static func open(_ channel: Channel) throws(SystemError) -> Descriptor {
        let action = "opening the Bluetooth \(channel == .control ? "management" : "monitor") channel"
        let raw = try valueOrErrno("socket", action) {
            Glibc.socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        }
        let socket = Descriptor(adopting: raw)
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = channel.number
        try valueOrErrno("bind", action) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(raw, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
                }
            }
        }
        return socket
    }

    /// Whether a Bluetooth socket belongs to all controllers, as that of the management channel does.
    static func isOfAllControllers(_ socket: Descriptor) -> Bool {
        var address = sockaddr_hci()
        var size = socklen_t(MemoryLayout<sockaddr_hci>.size)
        // The kernel returns a name only for a socket that is bound to one controller.
        let hasOne = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.raw, $0, &size) == 0 }
        }
        return option(SO_DOMAIN, of: socket) == AF_BLUETOOTH && option(SO_PROTOCOL, of: socket) == BTPROTO_HCI
            && !hasOne
    }

    private static func option(_ name: Int32, of socket: Descriptor) -> Int32? {
        var (value, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(socket.raw, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
