import BoardAgent
import BoardProtocol
import DieProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import Testing

@testable import DieProgram

/// The relay behind sockets, and the die's connection to it.
@Suite("The relay's sockets")
struct RelayConnectionTests {
    private static let mailbox = UUID(uuidString: "0A1B2C3D-0000-4000-8000-00000000D1CE")!
    private static let token = Data(repeating: 7, count: 32)

    private struct Stand {
        let notes = EventLog<String>()
        let server: InternetServer

        init(incompleteMessageLimit: Duration = .seconds(60)) {
            server = InternetServer([DieRelayService()], incompleteMessageLimit: incompleteMessageLimit) { [notes] in
                notes.append($0)
            }
        }

        func connect() throws -> TCPSocket {
            let (near, far) = try UnixSocket.pair()
            server.serve(try TCPSocket(near), port: DieRelay.port)
            return try TCPSocket(far)
        }

        func note(_ text: String) async throws {
            _ = try await notes.first(within: .seconds(300), waitingFor: "the note “\(text)”") { $0.contains(text) }
        }
    }

    private func next(from peer: TCPSocket) async throws -> DieRelay.Message? {
        var reader = DieRelay.Reader()
        while case let bytes = try await peer.receive(), !bytes.isEmpty {
            if let message = try reader.push(Data(bytes)).first { return message }
        }
        return nil
    }

    @Test("A die connects by itself, attends, receives, answers, and attends again after a loss")
    func client() async throws {
        let stand = Stand()
        let told = EventLog<DieRelay.Message?>()
        var listener = try stand.server.listen(on: "127.0.0.1", port: DieRelay.port, at: 0) as TCPListener?
        let port = try #require(listener?.port)
        let client = DieRelayClient(port: port)
        #expect(!client.send(.absent), "the relay is not connected yet")
        client.attend(mailbox: Self.mailbox, at: "127.0.0.1") { input in
            switch input {
            case .relayed(let message): told.append(message)
            case .relayLost: told.append(nil)
            default: break
            }
        }
        _ = try await told.first(within: .seconds(300), waitingFor: "the relay") {
            $0 == .attended(mailbox: Self.mailbox)
        }
        let app = try stand.connect()
        try await app.send(Array(DieRelay.frame(.post(mailbox: Self.mailbox, token: Self.token, Data([1, 2])))))
        let posted = try await told.first(within: .seconds(300), waitingFor: "what was posted") {
            if case .posted = $0 { true } else { false }
        }
        guard case .posted(let number, Self.token, Data([1, 2]))?? = posted.event as DieRelay.Message?? else {
            return #expect(Bool(false), "it received something else than was posted")
        }
        #expect(client.send(.answer(app: number, Data([3]))))
        #expect(try await next(from: app) == .answered(Data([3])))
        // An invalid message makes the relay hang up on the die, which connects again.
        #expect(client.send(.absent))
        let lost = try await told.first(from: posted.next, within: .seconds(300), waitingFor: "the loss") { $0 == nil }
        _ = try await told.first(from: lost.next, within: .seconds(300), waitingFor: "the relay again") {
            $0 == .attended(mailbox: Self.mailbox)
        }
        client.attend(mailbox: nil, at: "") { _ in }
        _ = try await told.first(from: lost.next, within: .seconds(300), waitingFor: "the end") { $0 == nil }
        #expect(!client.send(.absent))
        listener = nil
    }

    @Test("A peer that leaves a message incomplete is hung up on; a silent peer is not")
    func unfinished() async throws {
        let stand = Stand(incompleteMessageLimit: .milliseconds(50))
        let (silent, slow) = (try stand.connect(), try stand.connect())
        try await slow.send([1, 20, 0])
        #expect(try await slow.receive().isEmpty)
        try await silent.send(Array(DieRelay.frame(.attend(mailbox: Self.mailbox))))
        #expect(try await next(from: silent) == .attended(mailbox: Self.mailbox))
    }

    @Test("A peer that does not read is hung up on before its messages fill the memory")
    func deaf() async throws {
        let stand = Stand()
        let (die, app) = (try stand.connect(), try stand.connect())
        try await die.send(Array(DieRelay.frame(.attend(mailbox: Self.mailbox))))
        #expect(try await next(from: die) == .attended(mailbox: Self.mailbox))
        let post = try DieRelay.frame(.post(mailbox: Self.mailbox, token: Self.token, Data(count: 1 << 20)))
        for _ in 0..<8 { try await app.send(Array(post)) }
        try await stand.note("it does not read")
    }
}
