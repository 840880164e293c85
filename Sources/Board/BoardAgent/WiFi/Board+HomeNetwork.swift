import BoardProtocol
import RadioModel

/// The network of a home.
extension Board {
    func performHomeNetwork(_ command: BoardCommand) async throws {
        guard let home else {
            throw RadioError.invalid("this is an accessory board: a home network needs a host board")
        }
        switch command {
        case .openHomeNetwork(let configuration): try await home.open(configuration)
        case .changeHomePassphrase(let passphrase): try await home.changePassphrase(to: passphrase)
        case .closeHomeNetwork: try await home.close()
        default: throw RadioError.invalid("this agent does not know \(command.name)")
        }
    }
}
