import Foundation
import HostRadio
import RadioModel

/// An L2CAP channel that another device has opened.
final class PublishedChannel: RadioChannel {
    let mtu: Int
    private let number: Int
    private let packets: AsyncStream<Data>
    private let continuation: AsyncStream<Data>.Continuation
    private let send: @Sendable (Data) async throws -> Void
    private let end: @Sendable () -> Void

    init(_ number: Int, mtu: Int, of peripheral: PhonePeripheral) {
        self.number = number
        self.mtu = mtu
        (packets, continuation) = AsyncStream<Data>.makeStream()
        send = { [weak peripheral] in
            guard let peripheral else { throw RadioError.notConnected }
            try await peripheral.send($0, onChannel: number)
        }
        end = { [weak peripheral] in peripheral?.close(channel: number) }
    }

    /// Takes a packet; an empty one is the end.
    func take(_ packet: Data) {
        if packet.isEmpty { continuation.finish() } else { continuation.yield(packet) }
    }

    func send(_ packet: Data) async throws { try await send(packet) }

    func receive() async throws -> Data {
        for await packet in packets { return packet }
        return Data()
    }

    func close() {
        continuation.finish()
        end()
    }
}
