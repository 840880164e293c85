import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone
@testable import Network

@Suite("NWConnection and NWListener over UDP", .timeLimit(.minutes(1)))
struct DatagramConnectionTests {
    typealias Stand = NWConnectionTests.Stand

    /// An app with the entitlement for multicast.
    final class Multicaster: AppUnderTest {
        static let bundle = AppBundle(
            identifier: "com.example.multicast", infoPlist: NWConnectionTests.App.bundle.infoPlist,
            entitlements: fixture("GadgetApp/Multicast.entitlements"),
            resources: NWConnectionTests.App.bundle.resources)
        init() {}
    }

    /// A message of a connection, as an app receives it.
    private struct Message: Equatable {
        var bytes: Data?
        var isComplete: Bool
        var error: NWError?
    }

    private static func message(of connection: NWConnection, most: Int = .max) async -> Message {
        await withCheckedContinuation { answer in
            connection.receive(minimumIncompleteLength: 1, maximumLength: most) { bytes, _, isComplete, error in
                answer.resume(returning: Message(bytes: bytes, isComplete: isComplete, error: error))
            }
        }
    }

    private static func sending(
        _ connection: NWConnection, _ content: Data, isComplete: Bool = true
    ) async -> NWError? {
        await withCheckedContinuation { answer in
            connection.send(
                content: content, isComplete: isComplete,
                completion: .contentProcessed { answer.resume(returning: $0) })
        }
    }

    /// A connection over UDP, its states, and the host's end of it.
    private func connected(
        _ stand: Stand, to host: NWEndpoint.Host = "192.0.2.1"
    ) async throws -> (NWConnection, EventLog<NWConnection.State>, InMemoryStream) {
        let connection = stand.phone.asCurrent { NWConnection(host: host, port: 9, using: .udp) }
        let states = EventLog<NWConnection.State>()
        connection.stateUpdateHandler = { states.append($0) }
        connection.start(queue: stand.queue)
        return (connection, states, try await stand.host())
    }

    @Test("Each content is a datagram, and each datagram a message", .covers("W15"))
    func borders() async throws {
        let stand = try await Stand()
        try await stand.join()
        let (connection, _, host) = try await connected(stand)
        #expect(host.transport == .udp && host.port == 9 && connection.maximumDatagramSize == 65_507)
        let heard = EventLog<Data>()
        host.onSend { bytes, isLast in
            #expect(!isLast)
            heard.append(bytes)
        }
        #expect(await Self.sending(connection, Data("one".utf8)) == nil)
        #expect(await Self.sending(connection, Data("tw".utf8), isComplete: false) == nil)
        #expect(await Self.sending(connection, Data("o".utf8)) == nil)
        #expect(await Self.sending(connection, Data()) == nil)
        #expect(await Self.sending(connection, Data(count: 65_508)) == .posix(.EMSGSIZE))
        #expect(await Self.sending(connection, Data("last".utf8)) == nil)
        #expect(heard.events.map { String(decoding: $0, as: UTF8.self) } == ["one", "two", "", "last"])
        for text in ["abc", "", "defgh"] { host.deliver(Data(text.utf8)) }
        #expect(await Self.message(of: connection) == Message(bytes: Data("abc".utf8), isComplete: true))
        #expect(await Self.message(of: connection) == Message(bytes: Data(), isComplete: true))
        #expect(await Self.message(of: connection, most: 3) == Message(bytes: Data("def".utf8), isComplete: false))
        #expect(await Self.message(of: connection) == Message(bytes: Data("gh".utf8), isComplete: true))
        connection.cancel()
    }

    @Test("A message of a stream is all of it, of a datagram itself")
    func messages() async throws {
        let stand = try await Stand()
        try await stand.join()
        let stream = stand.connection()
        let host = try await stand.host()
        for text in ["one ", "two"] { host.deliver(Data(text.utf8)) }
        host.end()
        let all = await withCheckedContinuation { answer in
            stream.receiveMessage { bytes, context, isComplete, _ in
                answer.resume(returning: isComplete && context?.isFinal == true ? bytes : nil)
            }
        }
        #expect(all == Data("one two".utf8))
    }

    @Test("A peer that refuses fails the connection", .covers("W15"))
    func refused() async throws {
        let stand = try await Stand()
        try await stand.join()
        let (connection, states, host) = try await connected(stand)
        _ = try await states.first(within: Stand.limit, waitingFor: "the connection") { $0 == .ready }
        host.fail(code: ECONNREFUSED)
        _ = try await states.first(within: Stand.limit, waitingFor: "the refusal") {
            $0 == .failed(.posix(.ECONNREFUSED))
        }
        #expect(connection.state == .failed(.posix(.ECONNREFUSED)))
    }

    @Test("Datagrams for several hosts need the entitlement", .covers("W15"))
    func several() async throws {
        let stand = try await Stand()
        try await stand.join()
        for address: NWEndpoint.Host in ["255.255.255.255", "192.0.2.255", "239.1.2.3"] {
            let connection = stand.phone.asCurrent { NWConnection(host: address, port: 9, using: .udp) }
            let states = EventLog<NWConnection.State>()
            connection.stateUpdateHandler = { states.append($0) }
            connection.start(queue: stand.queue)
            _ = try await states.first(within: Stand.limit, waitingFor: "the refusal") {
                $0 == .waiting(.posix(.EHOSTUNREACH))
            }
        }
        let warnings = stand.phone.log.events.filter { if case .warning("W15", _) = $0.kind { true } else { false } }
        #expect(warnings.count == 3)
        _ = try await stand.phone.launch(Multicaster.self)
        #expect(stand.phone.app.map { stand.phone.localNetworkAccess.allowsDatagrams(to: "239.1.2.3", by: $0) } == true)
    }

    @Test("DTLS is not simulated, and says so")
    func dtls() async throws {
        let stand = try await Stand()
        try await stand.join()
        let parameters = NWParameters(dtls: NWProtocolTLS.Options())
        let connection = stand.phone.asCurrent { NWConnection(host: "192.0.2.1", port: 9, using: parameters) }
        let states = EventLog<NWConnection.State>()
        connection.stateUpdateHandler = { states.append($0) }
        connection.start(queue: stand.queue)
        _ = try await states.first(within: Stand.limit, waitingFor: "the refusal") {
            $0 == .waiting(.posix(.EOPNOTSUPP))
        }
    }

    @Test("A listener hears datagrams, each new peer as a connection", .covers("W15"))
    func listens() async throws {
        let stand = try await Stand()
        try await stand.join()
        let listener = try stand.phone.asCurrent { try NWListener(using: .udp, on: 5353) }
        let connections = EventLog<NWConnection>()
        let states = EventLog<NWListener.State>()
        listener.newConnectionHandler = { connections.append($0) }
        listener.stateUpdateHandler = { states.append($0) }
        listener.start(queue: stand.queue)
        _ = try await states.first(within: Stand.limit, waitingFor: "the listener") { $0 == .ready }
        let peer = try #require(stand.radio.connect(toPort: 5353, from: NWListenerTests.peer))
        #expect(peer.transport == .udp)
        let connection = try await connections.first(within: Stand.limit, waitingFor: "the peer").event
        connection.start(queue: stand.queue)
        for text in ["a", "b"] { peer.deliver(Data(text.utf8)) }
        for text in ["a", "b"] {
            #expect(await Self.message(of: connection) == Message(bytes: Data(text.utf8), isComplete: true))
        }
        listener.cancel()
    }
}
