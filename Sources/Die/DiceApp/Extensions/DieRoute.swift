import DieProtocol
import Foundation
import Network
import Synchronization

/// A route to the die over IP: directly, or through its maker's relay.
struct DieRoute: Sendable {
    /// Converts received bytes to events.
    typealias Reader = @Sendable (Data) throws -> [ChannelEvent]

    /// The endpoint to connect to now; nil if there is no route.
    let endpoint: @Sendable (NWPath) -> NWEndpoint?
    /// Makes the bytes to send for a message.
    let frame: @Sendable (Data) throws -> Data
    /// Makes a reader for a new connection.
    let reader: @Sendable () -> Reader
}

extension DieRoute {
    /// The route over the network that the die has opened. There, the die's address is that of the router.
    static let localNetwork = DieRoute(
        endpoint: { path in
            guard case .hostPort(let host, _)? = path.gateways.first,
                let port = NWEndpoint.Port(rawValue: DieMessageService.port)
            else { return nil }
            return .hostPort(host: host, port: port)
        }, frame: { try DieMessageService.frame($0) },
        reader: {
            let frames = Mutex(DieMessageService.Reader())
            return { bytes in try frames.withLock { try $0.push(bytes) }.map { .message($0) } }
        })

    /// The route through the relay, to the die's mailbox there.
    ///
    /// - Parameters:
    ///   - mailbox: Returns the name of the mailbox; nil while it is not known.
    ///   - token: The push token by which the die's messages reach this phone.
    static func internet(to mailbox: @escaping @Sendable () -> UUID?, token: Data) -> DieRoute {
        DieRoute(
            endpoint: { path in
                guard path.status == .satisfied, mailbox() != nil, let host = IPv4Address(DieRelay.host),
                    let port = NWEndpoint.Port(rawValue: DieRelay.port)
                else { return nil }
                return .hostPort(host: .ipv4(host), port: port)
            },
            frame: { message in
                guard let mailbox = mailbox() else { throw NWError.posix(.EDESTADDRREQ) }
                return try DieRelay.frame(.post(mailbox: mailbox, token: token, message))
            },
            reader: {
                let frames = Mutex(DieRelay.Reader())
                return { bytes in
                    try frames.withLock { try $0.push(bytes) }.map { message in
                        switch message {
                        case .answered(let answer): .message(answer)
                        case .absent: .unavailable
                        default: throw NWError.posix(.EPROTO)
                        }
                    }
                }
            })
    }
}
