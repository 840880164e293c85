import BoardProtocol
import Glibc
import POSIX
import RadioModel

/// The internet of an accessory board: a home's network, and the services behind it.
extension Board {
    /// Opens a network that leads to the internet, and starts the services there; returns when phones can reach them.
    func openInternet(_ network: NetworkConfiguration) async throws {
        guard case .accessPoint(let accessPoint) = wifi else { throw RadioError.invalid("this is a host board") }
        // By itself the kernel answers on each network for all addresses of the board: an accessory's would lead there too.
        try Descriptor.open("/proc/sys/net/ipv4/conf/all/arp_ignore", O_WRONLY).write("1".utf8)
        try await accessPoint.open(network, leadingTo: .internet)
        try await internet.start(on: PushService.host)
    }
}
