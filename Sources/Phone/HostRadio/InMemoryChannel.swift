import Foundation
import HILTiming
import RadioModel

/// One end of an L2CAP channel of the in-memory radio. A test has the other end.
package final class InMemoryChannel: RadioChannel {
    package let mtu: Int
    private let incoming: AsyncPackets
    private let outgoing: AsyncPackets

    private init(mtu: Int, incoming: AsyncPackets, outgoing: AsyncPackets) {
        self.mtu = mtu
        self.incoming = incoming
        self.outgoing = outgoing
    }

    /// Makes both ends of a channel.
    package static func pair(mtu: Int = 100) -> (phone: InMemoryChannel, device: InMemoryChannel) {
        let (one, other) = (AsyncPackets(), AsyncPackets())
        return (
            InMemoryChannel(mtu: mtu, incoming: one, outgoing: other),
            InMemoryChannel(mtu: mtu, incoming: other, outgoing: one)
        )
    }

    package func send(_ packet: Data) async throws {
        guard (1...mtu).contains(packet.count) else { throw RadioError.invalid("a packet of \(packet.count) bytes") }
        guard !outgoing.isClosed else { throw RadioError.notConnected }
        outgoing.add(packet)
    }

    package func receive() async throws -> Data { try await incoming.next() }

    package func close() {
        incoming.close()
        outgoing.close()
    }
}

/// Packets in one direction.
private final class AsyncPackets: Sendable {
    private let log = EventLog<Data>()
    private let place = Place()

    private actor Place {
        var next = 0

        func take(from log: EventLog<Data>) async throws -> Data {
            let place = next
            next += 1
            return try await log.first(from: place) { _ in true }.event
        }
    }

    var isClosed: Bool { log.events.last?.isEmpty == true }

    func add(_ packet: Data) { log.append(packet) }

    /// An empty packet is the end.
    func close() { if !isClosed { log.append(Data()) } }

    func next() async throws -> Data { try await place.take(from: log) }
}
