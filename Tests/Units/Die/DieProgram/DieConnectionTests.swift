import BoardAgent
import DieProtocol
import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import DieProgram

/// The agent's end of a connection, and the peer's end.
private func connected() throws -> (TCPSocket, TCPSocket) {
    let (near, far) = try UnixSocket.pair()
    return (try TCPSocket(near), try TCPSocket(far))
}

@Suite("The die's message service")
struct DieConnectionTests {
    /// A service that returns each message, and connected phones.
    private struct Stand {
        let connections: DieConnections
        let taken = EventLog<Data>()

        init(messageLimit: Duration = .seconds(60)) { connections = DieConnections(messageLimit: messageLimit) }

        func connect(of service: Int = 0) throws -> TCPSocket {
            let (die, phone) = try connected()
            connections.serve(die, of: service) { [connections, taken] message, number in
                taken.append(message)
                connections.send(message, to: number)
            }
            return phone
        }
    }

    private func read(_ count: Int, from phone: TCPSocket) async throws -> [Data] {
        var reader = DieMessageService.Reader()
        var messages: [Data] = []
        while messages.count < count {
            let bytes = try await phone.receive()
            guard !bytes.isEmpty else { break }
            messages += try reader.push(Data(bytes))
        }
        return messages
    }

    @Test("Answers go to the phone that asked, in the order of the questions")
    func answers() async throws {
        let stand = Stand()
        let (one, two) = (try stand.connect(), try stand.connect())
        let questions = [Data([16, 1]), Data(repeating: 17, count: 200_000)]
        for question in questions { try await one.send(Array(DieMessageService.frame(question))) }
        try await two.send(Array(DieMessageService.frame(Data([1]))))
        #expect(try await read(2, from: one) == questions)
        #expect(try await read(1, from: two) == [Data([1])])
    }

    @Test("A phone that sends invalid bytes is hung up on; others are not", arguments: [[0x47], [1, 0, 0, 0, 0]])
    func broken(bytes: [UInt8]) async throws {
        let stand = Stand()
        let (good, bad) = (try stand.connect(), try stand.connect())
        try await bad.send(bytes)
        #expect(try await bad.receive().isEmpty)
        try await good.send(Array(DieMessageService.frame(Data([1]))))
        #expect(try await read(1, from: good) == [Data([1])])
        #expect(stand.taken.events == [Data([1])])
    }

    @Test("A phone that leaves a message incomplete is hung up on; a silent phone is not")
    func unfinished() async throws {
        let stand = Stand(messageLimit: .milliseconds(1))
        let (silent, slow) = (try stand.connect(), try stand.connect())
        try await slow.send([1, 9])
        #expect(try await slow.receive().isEmpty)
        try await silent.send(Array(DieMessageService.frame(Data([1]))))
        #expect(try await read(1, from: silent) == [Data([1])])
    }

    @Test("Above the limit, a new phone replaces the one that was silent longest")
    func crowd() async throws {
        let stand = Stand()
        let phones = try (0..<DieMessageService.connections).map { _ in try stand.connect() }
        // The first phone sends something: the second is now the one that was silent longest.
        try await phones[0].send(Array(DieMessageService.frame(Data([1]))))
        #expect(try await read(1, from: phones[0]) == [Data([1])])
        let late = try stand.connect()
        #expect(try await phones[1].receive().isEmpty)
        #expect(stand.connections.count == DieMessageService.connections)
        for phone in [late, phones[0], phones[2]] {
            try await phone.send(Array(DieMessageService.frame(Data([2]))))
            #expect(try await read(1, from: phone) == [Data([2])])
        }
    }

    @Test("When a network closes, its phones are disconnected, and no others")
    func networkCloses() async throws {
        let stand = Stand()
        let (here, there) = (try stand.connect(of: 1), try stand.connect(of: 2))
        stand.connections.closeAll(of: 1)
        #expect(try await here.receive().isEmpty)
        try await there.send(Array(DieMessageService.frame(Data([1]))))
        #expect(try await read(1, from: there) == [Data([1])])
    }

    @Test("A phone that does not read its answers is hung up on")
    func doesNotRead() async throws {
        let stand = Stand()
        let phone = try stand.connect()
        let question = try DieMessageService.frame(Data(repeating: 1, count: 100_000))
        // It never reads: sending fails after the die has hung up.
        await #expect(throws: HILPOSIX.SystemError.self) {
            while true { try await phone.send(Array(question)) }
        }
        #expect(stand.connections.count == 0)
    }
}
