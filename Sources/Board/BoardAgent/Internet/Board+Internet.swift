import BoardProtocol
import Glibc
import HILPOSIX
import RadioModel

/// The simulated internet of an accessory board: a home network, and the services behind it.
extension Board {
    /// Opens a network with internet access, and starts the services there. Returns when phones can reach them.
    func openInternet(_ network: NetworkConfiguration) async throws {
        guard case .accessPoint(let accessPoint) = wifi else { throw RadioError.invalid("this is a host board") }
        // By default, the kernel answers ARP for all addresses of the board on each network, including those of an
        // accessory.
        try Descriptor.open("/proc/sys/net/ipv4/conf/all/arp_ignore", O_WRONLY).write("1".utf8)
        try await accessPoint.open(network, leadingTo: .internet)
        try await internet.start(on: PushService.host)
    }
}
