import BoardAgent
import FoundationEssentials
import HILTLS
import HILTiming
import PeripheralModel
import Synchronization

/// Serves a port of an accessory as data, until it is released.
final class PeripheralServer: Sendable {
    /// How long a phone may take to send its request.
    private static let requestLimit = Duration.seconds(30)
    /// The most connections that wait for an answer in vain. A phone has one at a time.
    private static let silentLimit = 64

    /// A ``BoardAgent/TCPListener`` or a ``BoardAgent/UDPListener``.
    private let listener: any Sendable
    /// The port that it listens on.
    let port: UInt16

    init(_ port: PeripheralPort, on address: String) throws {
        if port.transport == .udp {
            let udp = try UDPListener(on: address, port: port.number, endsPeers: true) { phone in
                Task { try? await Self.answerDatagrams(of: phone, on: port) }
            }
            (listener, self.port) = (udp, udp.port)
            return
        }
        let connections = SilentConnections(atMost: Self.silentLimit)
        let tcp = try TCPListener(on: address, port: port.number) { phone in
            // A phone that is gone is not an error.
            Task {
                guard let identity = port.identity else { return try? await Self.serve(port, to: phone, connections) }
                var options = TLSSession.Options()
                if port.takesOldTLS { options.minimum = .v1_0 }
                let stream = try? await withDeadline(Self.requestLimit, waitingFor: "a phone that speaks TLS") {
                    [options] in
                    try await TLSStream.accept(as: identity, options, over: phone)
                }
                if let stream { try? await Self.serve(port, to: stream, connections) }
            }
        }
        (listener, self.port) = (tcp, tcp.port)
    }

    /// Answers each datagram, until the phone has been silent for a long time.
    private static func answerDatagrams(of phone: any NetworkSocket, on port: PeripheralPort) async throws {
        defer { phone.shutDown() }
        while true {
            let datagram = try await withDeadline(requestLimit, waitingFor: "a datagram") { try await phone.receive() }
            if let answer = port.echoes ? datagram : port.answer.map(Array.init) { try await phone.send(answer) }
        }
    }

    private static func serve(
        _ port: PeripheralPort, to phone: any PeripheralConnection, _ silent: SilentConnections
    ) async throws {
        if port.echoes { return try await echo(to: phone) }
        guard let answer = port.answer else { return silent.keep(phone) }
        let request = try await withDeadline(requestLimit, waitingFor: "a request") {
            try await phone.receive(upTo: 65_536)
        }
        if !request.isEmpty { try await phone.send(Array(answer), isLast: true) }
    }

    /// Echoes all bytes until the phone ends its direction.
    private static func echo(to phone: any PeripheralConnection) async throws {
        while case let bytes = try await phone.receive(upTo: 65_536), !bytes.isEmpty {
            try await phone.send(bytes, isLast: false)
        }
        try await phone.send([], isLast: true)
    }
}

/// A phone's connection to a port, with or without TLS.
private protocol PeripheralConnection: Sendable {
    func send(_ bytes: [UInt8], isLast: Bool) async throws
    func receive(upTo limit: Int) async throws -> [UInt8]
}

extension TLSStream: PeripheralConnection {}

extension TCPSocket: PeripheralConnection, TLSTransport {
    package func send(_ bytes: [UInt8], isLast: Bool) async throws {
        try await send(bytes)
        if isLast { finish() }
    }
}

/// Connections that are accepted and never answered. They stay open until this is released.
private final class SilentConnections: Sendable {
    private let connections = Mutex<[any PeripheralConnection]>([])
    private let limit: Int

    init(atMost limit: Int) { self.limit = limit }

    func keep(_ connection: any PeripheralConnection) {
        connections.withLock { if $0.count < limit { $0.append(connection) } }
    }
}
