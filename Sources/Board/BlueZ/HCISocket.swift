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
}
