import DieProtocol
import Foundation
import Network
import Synchronization

/// A way to the die over IP: to the die itself, or through its maker's relay.
struct DieRoute: Sendable {
    /// What a piece of bytes told.
    typealias Reader = @Sendable (Data) throws -> [ChannelEvent]

    /// Where to connect to now; nil where there is no way.
    let endpoint: @Sendable (NWPath) -> NWEndpoint?
    /// A message as it travels.
    let frame: @Sendable (Data) throws -> Data
    /// What takes one connection's bytes apart.
    let reader: @Sendable () -> Reader
}

extension DieRoute {
    /// To the die, over the network that it has opened: its address there is the router's.
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

    /// Through the relay, to the die's mailbox there.
    ///
    /// - Parameters:
    ///   - mailbox: Its name; nil as long as it is not known.
    ///   - token: By which what the die has to say reaches this phone.
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
