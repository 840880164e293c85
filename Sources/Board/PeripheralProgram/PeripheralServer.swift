import BoardAgent
import FoundationEssentials
import HILTiming
import PeripheralModel
import Synchronization

/// Serves a TCP port of an accessory as data, until it is released.
final class PeripheralServer: Sendable {
    /// How long a phone may take to send its request.
    private static let requestLimit = Duration.seconds(30)
    /// The most connections that wait for an answer that never comes. A phone has one at a time.
    private static let silentLimit = 64

    private let listener: TCPListener

    init(_ port: PeripheralPort, on address: String) throws {
        let connections = SilentConnections(atMost: Self.silentLimit)
        listener = try TCPListener(on: address, port: port.number) { phone in
            // A phone that has gone away needs no error.
            if port.echoes {
                Task { try? await Self.echo(to: phone) }
                return
            }
            guard let answer = port.answer else { return connections.keep(phone) }
            Task { try? await Self.answer(Array(answer), to: phone) }
        }
    }

    /// The port that it listens on.
    var port: UInt16 { listener.port }

    /// Sends back what comes, until the phone ends its direction.
    private static func echo(to phone: TCPSocket) async throws {
        while true {
            let bytes = try await phone.receive()
            guard !bytes.isEmpty else { return phone.finish() }
            try await phone.send(bytes)
        }
    }

    private static func answer(_ answer: [UInt8], to phone: TCPSocket) async throws {
        let request = try await withDeadline(requestLimit, waitingFor: "a request") { try await phone.receive() }
        guard !request.isEmpty else { return }
        try await phone.send(answer)
        phone.finish()
    }
}

/// Connections that are accepted and never answered. They stay open until this is released.
private final class SilentConnections: Sendable {
    private let sockets = Mutex<[TCPSocket]>([])
    private let limit: Int

    init(atMost limit: Int) { self.limit = limit }

    func keep(_ socket: TCPSocket) { sockets.withLock { if $0.count < limit { $0.append(socket) } } }
}
