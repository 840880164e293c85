import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import BoardAgent

/// The agent's end of a connection, and the peer's end.
private func connected() throws -> (TCPSocket, TCPSocket) {
    let (near, far) = try UnixSocket.pair()
    return (try TCPSocket(near), try TCPSocket(far))
}

@Suite("Streams over the joined network")
struct OpenStreamTests {
    @Test("Sent bytes arrive complete and in order, followed by the end of the direction")
    func bothWays() async throws {
        let streams = OpenStreams()
        let (near, peer) = try connected()
        let number = try streams.add(near)
        let sent = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        async let sending: Void = streams.send(sent, on: number, isLast: true)
        var heard: [UInt8] = []
        while true {
            let bytes = try await peer.receive()
            if bytes.isEmpty { break }
            heard += bytes
        }
        try await sending
        #expect(heard == sent)
        try await peer.send([1, 2, 3])
        #expect(try await streams.receive(from: number, upTo: 2) == [1, 2])
        #expect(try await streams.receive(from: number, upTo: 1 << 30) == [3])
        peer.finish()
        #expect(try await streams.receive(from: number, upTo: 1).isEmpty)
    }

    @Test("A peer that does not read makes the sender wait; closing the stream ends the wait")
    func backPressure() async throws {
        let streams = OpenStreams()
        let (near, peer) = try connected()
        let number = try streams.add(near)
        let failure = EventLog<RadioError?>()
        Task {
            do {
                try await streams.send([UInt8](repeating: 7, count: 8 << 20), on: number, isLast: false)
                failure.append(nil)
            } catch { failure.append(error as? RadioError) }
        }
        // Sending has started, and 8 MiB are more than a kernel keeps for a peer.
        #expect(try await peer.receive(upTo: 1) == [7])
        #expect(failure.count == 0)
        streams.close(number)
        let told = try await failure.first(within: .seconds(300), waitingFor: "the send to end").event
        guard case .streamFailed(ECONNABORTED, _)? = told else {
            Issue.record("the send ended with \(String(describing: told))")
            return
        }
    }

    @Test("When the network ends, a wait for bytes fails; it does not look as if the peer had ended")
    func networkEnds() async throws {
        let streams = OpenStreams()
        let (near, peer) = try connected()
        let number = try streams.add(near)
        let waiting = Task { try await streams.receive(from: number, upTo: 10) }
        streams.endAll()
        await #expect(throws: RadioError.self) { try await waiting.value }
        #expect(try await peer.receive().isEmpty)
        await #expect(throws: RadioError.self) { try await streams.receive(from: number, upTo: 10) }
        await #expect(throws: RadioError.self) { try await streams.send([1], on: number, isLast: false) }
        // A socket that was being connected meanwhile belongs to the network that ended.
        #expect(throws: RadioError.self) { try streams.add(near, since: 0) }
        streams.close(number)
    }

    @Test("The number of open streams is limited, and text that is not an address is refused")
    func bounds() async throws {
        let streams = OpenStreams()
        for _ in 0..<OpenStreams.limit { _ = try streams.add(connected().0) }
        #expect(throws: RadioError.self) { try streams.add(connected().0) }
        await #expect(throws: RadioError.self) { try await streams.open(to: "192.0.2.1", port: 1, by: .tcp, over: nil) }
        await #expect(throws: RadioError.invalid("lamp.local is not an IPv4 address")) {
            try await OpenStreams().open(to: "lamp.local", port: 1, by: .tcp, over: nil)
        }
        await #expect(throws: RadioError.self) { try await streams.receive(from: 1, upTo: 0) }
    }
}
