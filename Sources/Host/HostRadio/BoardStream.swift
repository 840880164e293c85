import BoardProtocol
import Foundation
import RadioModel

/// A TCP connection of a host board's.
final class BoardStream: RadioStream {
    /// How many bytes go to the board at once: a frame each, and others get their turn in between.
    private static let pieceLength = 65_536
    /// How long a peer may leave what is sent unread, or say nothing: as long as it likes.
    private static let patience = Duration.seconds(86_400)

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
            _ = try await board.ask(.sendOnStream(number, Data(piece), isLast: isEnd), within: BoardStream.patience)
        } while !rest.isEmpty
    }

    func receive(upTo limit: Int) async throws -> Data {
        let result = try await board.ask(.receiveFromStream(number, limit: limit), within: BoardStream.patience)
        guard case .value(let bytes) = result else { throw RadioError.rig("the host board answered with \(result)") }
        return bytes
    }

    func close() { Task { [board, number] in _ = try? await board.ask(.closeStream(number)) } }
}
