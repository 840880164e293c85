import BoardProtocol
import Foundation
import HILTLS
import HILTiming
import RadioModel
import RigModel

// The accessory as a client of servers.
extension AuditCheck {
    /// Where accessories often ask servers by TLS.
    private static let serverPorts: [UInt16] = [443, 465, 853, 993, 4433, 5223, 8443, 8883, 9443]
    /// How long the accessory may be silent.
    private static let silence = Duration.seconds(8)

    static let certificates = [
        AuditCheck("wifi.certificates", .setUp) { scene in
            guard scene.lab.homeNetwork.wasOpened, let address = try await scene.homeAddress() else {
                return .doesNotApply("it is in no home's network")
            }
            let servers = try await FalseServers(at: serverPorts, of: scene.lab)
            scene.note(
                "the home's router plays false servers at the TCP ports \(servers.ports.map { "\($0)" }.joined(separator: ", "))"
            )
            let end = ContinuousClock.now + silence
            var refused = false
            while let client = try await servers.nextClient(until: end) {
                guard client.peer.address == address else { continue }
                switch try await servers.meet(client) {
                case .trusts:
                    return .breached(
                        "it spoke TLS at port \(client.port) with a server that shows a certificate of its own making")
                case .refuses(let why):
                    scene.note("at port \(client.port) it refused the certificate: \(why)")
                    refused = true
                case .speaksNoTLS(let why): scene.note("at port \(client.port) it spoke no TLS: \(why)")
                }
                if refused { return .holds }
            }
            return .doesNotApply("it asked no server at the home's router by TLS within \(silence.short)")
        }
    ]
}

/// Servers that the home's router plays, each with a certificate of its own making.
@MainActor
private final class FalseServers {
    /// How a client took the certificate.
    enum Outcome { case trusts, refuses(String), speaksNoTLS(String) }

    private static let handshakeLimit = Duration.seconds(10)

    let ports: [UInt16]
    private let router: BoardClient
    private let identity: TLSIdentity
    private var known = 0

    init(at ports: [UInt16], of lab: Lab) async throws {
        router = lab.rig.connection.host
        identity = try .selfSigned(for: "server.example")
        self.ports = try await router.ask { .home(.playServers(ports: ports, $0)) }
    }

    func nextClient(until end: ContinuousClock.Instant) async throws -> ServedClient? {
        let milliseconds = Int(ContinuousClock.now.duration(to: end).seconds * 1000)
        guard milliseconds > 0 else { return nil }
        let known = known
        let client = try await router.ask { .home(.nextClient(after: known, milliseconds: milliseconds, $0)) }.first
        if client != nil { self.known += 1 }
        return client
    }

    func meet(_ client: ServedClient) async throws -> Outcome {
        let stream = ClientStream(number: client.stream, router: router)
        defer { Task { await stream.close() } }
        do {
            let identity = identity
            let first = try await withDeadline(Self.handshakeLimit, waitingFor: "the accessory to speak TLS") {
                try await TLSStream.accept(as: identity, over: stream).receive(upTo: 1)
            }
            // Some look at the certificate after the handshake.
            return first.isEmpty ? .refuses("it ended the connection before it sent anything") : .trusts
        } catch let failure as TLSFailure {
            switch failure.cause {
            case .alert, .ended: return .refuses(failure.description)
            case .violation, .untrusted: return .speaksNoTLS(failure.description)
            }
        } catch let error as TimedOut {
            return .speaksNoTLS("\(error)")
        } catch RadioError.streamFailed(_, let reason) { return .refuses(reason) }
    }
}

/// A connection of a client to a false server.
private struct ClientStream: TLSTransport {
    let number: Int
    let router: BoardClient

    func send(_ bytes: [UInt8], isLast: Bool) async throws {
        _ = try await router.ask { .home(.sendToClient(number, Data(bytes), isLast: isLast, $0)) }
    }

    func receive() async throws -> [UInt8] {
        Array(try await router.ask { .home(.receiveFromClient(number, limit: 65_536, $0)) })
    }

    func close() async { _ = try? await router.ask { .home(.closeClient(number, $0)) } }
}
