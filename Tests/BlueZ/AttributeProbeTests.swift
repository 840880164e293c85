import RadioModel
import Synchronization
import Testing

@testable import HILBlueZ

/// What an unpaired phone may do is found out without changing anything.
struct AttributeProbeTests {
    /// An attribute server that answers each packet with the next ones of a script, and then ends the link.
    private final class Server: Sendable {
        let sent = Mutex<[[UInt8]]>([])
        private let answers: Mutex<[[UInt8]]>

        init(_ answers: [[UInt8]]) { self.answers = Mutex(answers) }

        var probe: AttributeProbe {
            AttributeProbe(
                send: { [self] packet in sent.withLock { $0.append(packet) } },
                receive: { [self] in answers.withLock { $0.isEmpty ? [] : $0.removeFirst() } })
        }
    }

    private let both = AttributeAccess(handle: 0x0102, reading: .allowed, writing: .allowed)

    @Test("A read and a write that are allowed, and one that needs more, are told apart")
    func answers() async throws {
        let server = Server([[0x01, 0x0A, 2, 1, 0x0F], [0x17, 2, 1, 0, 0], [0x19]])
        let found = try await server.probe.ask([both])
        #expect(found == [AttributeAccess(handle: 0x0102, reading: .refused(0x0F), writing: .allowed)])
        #expect(found[0].reading.protection == .encrypted)
        #expect(server.sent.withLock { $0 } == [[0x0A, 2, 1], [0x16, 2, 1, 0, 0], [0x18, 0]])
    }

    @Test("What nobody asks for is not tried")
    func nothing() async throws {
        let server = Server([])
        #expect(try await server.probe.ask([AttributeAccess(handle: 1)]) == [AttributeAccess(handle: 1)])
        #expect(server.sent.withLock { $0 }.isEmpty)
    }

    @Test("Notifications pass by, and the server's own requests are refused")
    func between() async throws {
        let server = Server([[0x1B, 9, 0, 1], [0x02, 23, 0], [0x0A, 3, 0], [0x0B]])
        let asked = AttributeAccess(handle: 7, reading: .allowed)
        #expect(try await server.probe.ask([asked]) == [asked])
        #expect(server.sent.withLock { $0 }[1...] == [[0x01, 0x02, 0, 0, 0x06], [0x01, 0x0A, 3, 0, 0x06]])
    }

    @Test("A server without prepared writes says nothing of writing")
    func unsupported() async throws {
        let server = Server([[0x01, 0x16, 2, 1, 0x06], [0x01, 0x18, 0, 0, 0x06]])
        let asked = AttributeAccess(handle: 0x0102, writing: .allowed)
        #expect(try await server.probe.ask([asked]) == [AttributeAccess(handle: 0x0102)])
    }

    @Test("A lost link ends it")
    func lost() async {
        await #expect(throws: RadioError.notConnected) { try await Server([]).probe.ask([both]) }
    }

    @Test("Whatever a server answers, it ends", arguments: 0..<200)
    func anyBytes(seed: Int) async {
        var number = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt8 {
            number ^= number << 13
            number ^= number >> 7
            number ^= number << 17
            return UInt8(truncatingIfNeeded: number >> 24)
        }
        let packets = (0..<20).map { _ in (0..<Int(next() % 8)).map { _ in next() % 0x20 } }.filter { !$0.isEmpty }
        _ = try? await Server(packets).probe.ask([both, both])
    }
}
