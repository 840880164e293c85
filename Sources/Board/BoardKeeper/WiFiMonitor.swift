import BoardProtocol
import Glibc
import HILCLinux
import HILPOSIX

/// Listens to the 802.11 frames on the channel of a board's radio, through a monitor interface beside its own; not
/// every radio can carry one.
final class WiFiMonitor: Sendable {
    private let thread: PacketThread

    /// The name of the monitor interface beside this one. A reset removes it with all others of the radio.
    static func name(beside interface: String) -> String { "\(interface.prefix(11))-mon" }

    /// - Parameter take: Called with each frame, in order, on a separate thread.
    /// - Throws: ``KeeperFailure`` if the radio cannot carry a monitor.
    init(beside interface: String, _ take: @escaping @Sendable (CapturedBytes) -> Void) async throws(KeeperFailure) {
        let name = WiFiMonitor.name(beside: interface)
        try await SystemProgram.require(
            ["iw", "dev", interface, "interface", "add", name, "type", "monitor"], within: .seconds(5))
        try await SystemProgram.require(["ip", "link", "set", name, "up"], within: .seconds(5))
        do throws(SystemError) {
            // The next reset removes the interface, and the thread ends with it.
            thread = try PacketThread("wifi-monitor", reading: WiFiMonitor.listen(on: name), upTo: 16384) { frame in
                take(CapturedBytes(kind: .radiotap, adapter: 0, time: wallClockNanoseconds(), bytes: frame))
            }
        } catch { throw KeeperFailure("802.11: \(error)") }
    }

    func stop() { thread.stop() }

    private static func listen(on name: String) throws(SystemError) -> Descriptor {
        let action = "listening on \(name)"
        let socket = Descriptor(adopting: try valueOrErrno("socket", action) { open_packet_socket() })
        var address = sockaddr_ll()
        address.sll_family = sa_family_t(AF_PACKET)
        address.sll_protocol = UInt16(ETH_P_ALL).bigEndian
        address.sll_ifindex = Int32(if_nametoindex(name))
        try valueOrErrno("bind", action) {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_ll>.size))
                }
            }
        }
        return socket
    }
}
