import BoardProtocol
import RadioModel

/// The network of a home, with the router at the phone's position.
///
/// The router has its own interface on the phone's radio, so both use one channel.
extension Board {
    func performHomeNetwork(_ command: BoardCommand) async throws {
        guard let home else {
            throw RadioError.invalid("this is an accessory board: a home network needs a host board")
        }
        switch command {
        case .openHomeNetwork(let network):
            if !(await home.isDaemonThere) { await home.forgetDaemon() }
            _ = try await home.power()
            try await home.open(network, leadingTo: .home)
        case .changeHomePassphrase(let passphrase):
            guard let ssid = await home.openNetworks.first else {
                throw RadioError.invalid("no home network is open")
            }
            try await home.changePassphrase(of: ssid, to: passphrase)
        case .closeHomeNetwork: try await home.closeAll()
        default: throw RadioError.invalid("this agent does not know \(command.name)")
        }
    }
}
