import Foundation
import Glibc
import HILPOSIX
import HILTiming
import RadioModel
import Testing

@testable import BoardAgent

@Suite("Datagrams over the joined network", .timeLimit(.minutes(1)))
struct DatagramTests {
    private static let here = "127.0.0.1"

    /// A listener, and its peers in the order in which they were heard.
    private func listener() throws -> (UDPListener, AsyncStream<any NetworkSocket>) {
        let (heard, new) = AsyncStream.makeStream(of: (any NetworkSocket).self)
        return (try UDPListener(on: Self.here, port: 0) { new.yield($0) }, heard)
    }

    private func socket(to listener: UDPListener) throws -> UDPSocket {
        try UDPSocket(to: NetworkPlace(address: Self.here, port: listener.port))
    }

    @Test("A stream by UDP keeps the borders of datagrams, the empty and the longest ones too")
    func borders() async throws {
        let (listener, heard) = try listener()
        let streams = OpenStreams()
        let number = try await streams.open(to: Self.here, port: listener.port, by: .udp, over: nil)
        let longest = (0..<InternetTransport.longestDatagram).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sent: [[UInt8]] = [[1, 2, 3], [], [4], longest]
        for datagram in sent { try await streams.send(datagram, on: number, isLast: false) }
        var peers = heard.makeAsyncIterator()
        let peer = try #require(await peers.next())
        for datagram in sent { #expect(try await peer.receive() == datagram) }
        for datagram in sent { try await peer.send(datagram) }
        for datagram in sent { #expect(try await streams.receive(from: number, upTo: 65_536) == datagram) }
        withExtendedLifetime(listener) {}
    }

    @Test("A datagram that is longer than there can be one is an error, and a closed port too")
    func errors() async throws {
        let (listener, _) = try listener()
        let socket = try socket(to: listener)
        await #expect(throws: SystemError(code: EMSGSIZE, action: "sending a datagram")) {
            try await socket.send([UInt8](repeating: 0, count: InternetTransport.longestDatagram + 1))
        }
        // Nobody serves the port 1 (tcpmux), and only root could.
        let nobody = try UDPSocket(to: NetworkPlace(address: Self.here, port: 1))
        try await nobody.send([1])
        let error = await #expect(throws: SystemError.self) { _ = try await nobody.receive() }
        #expect(error?.code == ECONNREFUSED)
        withExtendedLifetime(listener) {}
    }

    @Test("A listener tells its peers apart, and hears one anew that was closed")
    func peers() async throws {
        let (listener, heard) = try listener()
        var peers = heard.makeAsyncIterator()
        let (one, other) = (try socket(to: listener), try socket(to: listener))
        try await one.send([1])
        let first = try #require(await peers.next())
        try await other.send([2])
        let second = try #require(await peers.next())
        try await one.send([3])
        #expect(try await first.receive() == [1])
        #expect(try await first.receive() == [3])
        #expect(try await second.receive() == [2])
        try await second.send([4])
        #expect(try await other.receive() == [4])
        first.shutDown()
        await #expect(throws: SystemError.self) { _ = try await first.receive() }
        try await one.send([5])
        let again = try #require(await peers.next())
        #expect(try await again.receive() == [5])
        #expect(again.peer == first.peer)
    }

    @Test(
        "Peers of a listener that has ended are still heard and answered, and the port is theirs; unless they end with it"
    )
    func endedListener() async throws {
        for endsPeers in [false, true] {
            let (heard, new) = AsyncStream.makeStream(of: (any NetworkSocket).self)
            var listener: UDPListener? = try UDPListener(on: Self.here, port: 0, endsPeers: endsPeers) { new.yield($0) }
            let port = try #require(listener).port
            let socket = try UDPSocket(to: NetworkPlace(address: Self.here, port: port))
            try await socket.send([1])
            var peers = heard.makeAsyncIterator()
            let peer = try #require(await peers.next())
            #expect(try await peer.receive() == [1])
            listener = nil
            if endsPeers {
                await #expect(throws: SystemError.self) { _ = try await peer.receive() }
                _ = try UDPListener(on: Self.here, port: port, endsPeers: true) { _ in }
            } else {
                try await socket.send([2])
                #expect(try await peer.receive() == [2])
                try await peer.send([3])
                #expect(try await socket.receive() == [3])
                #expect(throws: SystemError.self) { try UDPListener(on: Self.here, port: port) { _ in } }
                peer.shutDown()
            }
        }
    }

    @Test("What nobody reads is dropped when it is too much; what was there before is kept")
    func flood() async throws {
        let (listener, heard) = try listener()
        var peers = heard.makeAsyncIterator()
        let socket = try socket(to: listener)
        try await socket.send([0])
        let peer = try #require(await peers.next())
        let piece = [UInt8](repeating: 7, count: 60_000)
        for _ in 0..<40 { try await socket.send(piece) }
        #expect(try await peer.receive() == [0])
        var count = 0
        while (try? await withDeadline(.milliseconds(300), waitingFor: "another", { try await peer.receive() })) != nil
        {
            count += 1
        }
        // Four have room. A late listener takes up to four more, which the kernel's buffer has kept, as room gets free.
        #expect((1...8).contains(count))
        withExtendedLifetime(listener) {}
    }

    @Test("A wait for a datagram ends when the stream is closed")
    func closing() async throws {
        let (listener, heard) = try listener()
        var peers = heard.makeAsyncIterator()
        let streams = OpenStreams()
        let number = try await streams.open(to: Self.here, port: listener.port, by: .udp, over: nil)
        try await streams.send([1], on: number, isLast: true)
        let peer = try #require(await peers.next())
        let accepted = try streams.accept(peer)
        #expect(try await streams.receive(from: accepted, upTo: 10) == [1])
        for waiting in [number, accepted] {
            // It begins to wait before the next line.
            let receiving = Task.immediate { try await streams.receive(from: waiting, upTo: 10) }
            streams.close(waiting)
            await #expect(throws: RadioError.self) { _ = try await receiving.value }
        }
        withExtendedLifetime(listener) {}
    }
}
