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
            try await board.ask(within: BoardStream.peerTimeout) {
                .station(.sendOnStream(number, Data(piece), isLast: isEnd, $0))
            }
        } while !rest.isEmpty
    }

    func receive(upTo limit: Int) async throws -> Data {
        try await board.ask(within: BoardStream.peerTimeout) {
            .station(.receiveFromStream(number, limit: limit, $0))
        }
    }

    func close() { Task { [board, number] in try? await board.ask { .station(.closeStream(number, $0)) } } }
}
