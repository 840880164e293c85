import BoardProtocol
import FoundationEssentials
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
        case .playServers(let ports, let reply): return reply(try await home.playServers(at: ports))
        case .nextClient(let known, let milliseconds, let reply):
            return reply(
                try await home.playedServers().next(after: known, within: .milliseconds(milliseconds)))
        case .sendToClient(let stream, let bytes, let isLast, let reply):
            try await home.playedServers().streams.send(Array(bytes), on: stream, isLast: isLast)
            return reply()
        case .receiveFromClient(let stream, let limit, let reply):
            return reply(Data(try await home.playedServers().streams.receive(from: stream, upTo: limit)))
        case .closeClient(let stream, let reply):
            try await home.playedServers().streams.close(stream)
            return reply()
        }
    }
}
