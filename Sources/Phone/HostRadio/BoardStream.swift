import BoardProtocol
import Foundation
import RadioModel

/// A TCP connection that a host board has opened, or a UDP socket of it for one peer.
final class BoardStream: RadioStream {
    /// How many bytes go to the board in one frame. Other frames can be sent between two of them.
    private static let pieceLength = 65_536
    /// How long a peer may leave sent data unread or stay silent. A day is longer than any run: TCP has no such limit.
    private static let peerTimeout = Duration.seconds(86_400)

    private let board: BoardClient
    private let number: Int

    init(_ number: Int, on board: BoardClient) {
        self.number = number
        self.board = board
    }

    deinit { close() }

    func send(_ bytes: Data, isLast: Bool) async throws {
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(BoardStream.pieceLength)
            rest = rest.dropFirst(piece.count)
            let isEnd = isLast && rest.isEmpty
            _ = try await board.ask(.sendOnStream(number, Data(piece), isLast: isEnd), within: BoardStream.peerTimeout)
        } while !rest.isEmpty
    }

    func receive(upTo limit: Int) async throws -> Data {
        let result = try await board.ask(.receiveFromStream(number, limit: limit), within: BoardStream.peerTimeout)
        guard case .value(let bytes) = result else { throw RadioError.rig("the host board answered with \(result)") }
        return bytes
    }

    func close() { Task { [board, number] in _ = try? await board.ask(.closeStream(number)) } }
}
