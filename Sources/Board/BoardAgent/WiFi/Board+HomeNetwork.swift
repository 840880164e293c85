import BoardProtocol
import HILPOSIX
import RadioModel

/// The network of a home.
extension Board {
    func perform(_ call: HomeCall) async throws -> Answer {
        guard let home else {
            throw RadioError.invalid("this is an accessory board: a home network needs a host board")
        }
        switch call {
        case .open(let configuration, let reply):
            try await home.open(configuration)
            return reply()
        case .changePassphrase(let passphrase, let reply):
            try await home.changePassphrase(to: passphrase)
            return reply()
        case .close(let reply):
            try await home.close()
            return reply()
        }
    }
}
