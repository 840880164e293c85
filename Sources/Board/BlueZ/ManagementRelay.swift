import Glibc
import HILPOSIX

/// Relays between a process and the kernel's management interface, and gives the process a ``ManagementView``.
package enum ManagementRelay {
    /// All packets of the kernel are shorter.
    private static let longest = 65_536

    /// Starts the relay. It ends when the process closes its end, or the kernel closes the channel.
    ///
    /// - Returns: The descriptor that replaces the process's socket.
    /// - Throws: ``SystemError``, as from ``HCISocket/open(_:)``.
    package static func begin(_ view: ManagementView) throws(SystemError) -> Descriptor {
        let kernel = try HCISocket.open(.control)
        let (here, there) = try UnixSocket.packetPair()
        startThread(named: "management") { relay(view, between: here, and: kernel) }
        return there
    }

    private static func relay(_ view: ManagementView, between holder: Descriptor, and kernel: Descriptor) {
        defer { for descriptor in [holder, kernel] { descriptor.close() } }
        var files = [holder, kernel].map { pollfd(fd: $0.raw, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&files, 2, -1) > 0 else {
                if errno == EINTR { continue } else { return }
            }
            do throws(SystemError) {
                if files[0].revents != 0 {
                    let packet = try holder.read(upTo: longest)
                    guard !packet.isEmpty else { return }
                    switch view.command(packet) {
                    // Without the relay, the process's own write would fail with this error.
                    case .toKernel(let packet): try? kernel.write(packet)
                    case .answered(let answer): try holder.write(answer)
                    }
                }
                if files[1].revents != 0 {
                    let packet = try kernel.read(upTo: longest)
                    guard !packet.isEmpty else { return }
                    if let event = view.event(packet) { try holder.write(event) }
                }
            } catch { return }
        }
    }
}
