import CBluetooth
import Glibc
import POSIX

/// The kernel's Bluetooth management interface, listened to.
///
/// D-Bus tells neither how strong a bond's key is nor every packet that was heard; this does. It needs `CAP_NET_ADMIN`.
public final class ManagementChannel: Sendable {
    private let socket: Descriptor
    private let wakeUp: (read: Descriptor, write: Descriptor)

    /// Opens the channel; `handler` is called on a thread of the channel's own, in order, until ``close()``.
    ///
    /// - Throws: ``SystemError``: `EAFNOSUPPORT` where the kernel has no Bluetooth, `EPERM` without the right to it.
    public init(_ handler: @escaping @Sendable (ManagementEvent) -> Void) throws(SystemError) {
        let action = "opening the Bluetooth management channel"
        let raw = try valueOrErrno("socket", action) {
            Glibc.socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
        }
        socket = Descriptor(adopting: raw)
        wakeUp = try Descriptor.pipe()
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(AF_BLUETOOTH)
        address.hci_dev = UInt16(HCI_DEV_NONE)
        address.hci_channel = UInt16(HCI_CHANNEL_CONTROL)
        try valueOrErrno("bind", action) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(raw, $0, socklen_t(MemoryLayout<sockaddr_hci>.size))
                }
            }
        }
        startThread(named: "management") { [socket, wakeUp] in
            ManagementChannel.readAll(socket, until: wakeUp.read, handler)
        }
    }

    deinit { close() }

    /// Ends the listening; harmless when repeated.
    public func close() { wakeUp.write.close() }

    private static func readAll(
        _ socket: Descriptor, until wakeUp: Descriptor, _ handler: @Sendable (ManagementEvent) -> Void
    ) {
        var files = [
            pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeUp.raw, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            guard poll(&files, 2, -1) > 0 || errno == EINTR else { return }
            guard files[1].revents == 0 else { return }
            guard files[0].revents != 0 else { continue }
            // One read is one packet; the events that matter are far shorter.
            guard let packet = try? socket.read(upTo: 4096), !packet.isEmpty else { return }
            if let event = ManagementEvent(decoding: packet) { handler(event) }
        }
    }
}
