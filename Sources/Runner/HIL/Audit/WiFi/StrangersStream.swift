import BoardProtocol
import Foundation
import HILTLS

/// A TCP connection of a stranger, or a UDP socket for one peer. Close it on every way out.
struct StrangersStream: TLSTransport {
    private let number: Int
    private let stranger: WiFiStranger

    /// - Throws: `RadioError.streamFailed` if the peer refuses it, or does not answer.
    static func open(
        to address: String, port: UInt16, by stranger: WiFiStranger, over transport: InternetTransport = .tcp
    ) async throws -> StrangersStream {
        let number = try await stranger.station { .openStream(address: address, port: port, by: transport, $0) }
        return StrangersStream(number: number, stranger: stranger)
    }

    func send(_ bytes: [UInt8], isLast: Bool) async throws {
        try await stranger.station { .sendOnStream(number, Data(bytes), isLast: isLast, $0) }
    }

    func receive() async throws -> [UInt8] {
        Array(try await stranger.station { .receiveFromStream(number, limit: 65_536, $0) })
    }

    func close() async { _ = try? await stranger.station { .closeStream(number, $0) } }
}
