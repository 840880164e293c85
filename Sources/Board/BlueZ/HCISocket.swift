import Glibc
import HILCBluetooth
import HILPOSIX

/// Sockets of the kernel's Bluetooth (`net/bluetooth/hci_sock.c` of Linux).
package enum HCISocket {
    /// A channel of the kernel.
    package enum Channel: Sendable {
        /// Management commands and events of all controllers.
        case control
        /// A copy of everything between the kernel and its controllers.
        case monitor
        /// Commands to one controller beside the kernel, and a copy of its events.
        case raw(UInt16)
        /// All packets of one controller, which the kernel leaves to this socket: see ``UserChannel``.
        case user(UInt16)

        fileprivate var number: UInt16 {
            let number =
                switch self {
                case .control: HCI_CHANNEL_CONTROL
                case .monitor: HCI_CHANNEL_MONITOR
                case .raw: HCI_CHANNEL_RAW
                case .user: HCI_CHANNEL_USER
                }
            return UInt16(number)
        }

        fileprivate var controller: UInt16 {
            switch self {
            case .control, .monitor: UInt16(HCI_DEV_NONE)
            case .raw(let controller), .user(let controller): controller
            }
        }

        fileprivate var text: String {
            switch self {
            case .control: "the Bluetooth management channel"
            case .monitor: "the Bluetooth monitor channel"
            case .raw(let controller), .user(let controller): "the Bluetooth controller hci\(controller)"
            }
        }
    }

    /// Opens a channel. One read gives one packet.
    ///
    /// - Parameter action: What is being done, for the error; nil for the opening itself.
    /// - Throws: ``SystemError``: `EAFNOSUPPORT` if the kernel has no Bluetooth, `EPERM` without `CAP_NET_ADMIN`.
    package static func open(_ channel: Channel, _ action: String? = nil) throws(SystemError) -> Descriptor {
        let action = action ?? "opening \(channel.text)"
        let raw = try valueOrErrno("socket", action) {
            Glibc.socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        }
        let socket = Descriptor(adopting: raw)
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = channel.controller
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
