import Foundation
import HILPOSIX
import HILTiming
import Testing

@testable import HILBench

@Suite("The socket at which workers reach an agent")
struct AgentRelayTests {
    private func relay(_ received: EventLog<[UInt8]>) throws -> AgentRelay {
        try AgentRelay(at: "/tmp/hil-relay-\(UUID().uuidString.prefix(8))") { received.append($0) }
    }

    @Test("Bytes go both ways, for one client after the other")
    func clients() async throws {
        let received = EventLog<[UInt8]>()
        let relay = try relay(received)
        defer { relay.close() }
        for number: UInt8 in 1...2 {
            let place = received.count
            let client = try UnixSocket.connect(to: relay.path)
            try client.write([number])
            #expect(try await received.first(from: place, within: .seconds(20), waitingFor: "a byte").event == [number])
            relay.take([number, number])
            #expect(try client.read() == [number, number])
            client.shutDown()
        }
    }

    @Test("A client that does not read holds up nobody, and is hung up on at last", .timeLimit(.minutes(2)))
    func silent() async throws {
        let received = EventLog<[UInt8]>()
        let relay = try relay(received)
        defer { relay.close() }
        let client = try UnixSocket.connect(to: relay.path)
        try client.write([1])
        _ = try await received.first(within: .seconds(20), waitingFor: "a byte")
        let piece = [UInt8](repeating: 7, count: 1 << 20)
        // A socket takes some hundred kilobytes.
        for _ in 0..<70 { relay.take(piece) }
        var count = 0
        while let bytes = try? client.read(), !bytes.isEmpty { count += bytes.count }
        #expect(count < 70 << 20)
    }

    @Test("Its file is gone after its end")
    func end() throws {
        let relay = try relay(EventLog<[UInt8]>())
        relay.close()
        #expect(!FileManager.default.fileExists(atPath: relay.path))
    }
}
