import BoardProtocol
import Foundation
import RadioModel

/// An L2CAP channel that a host board has opened.
final class BoardChannel: RadioChannel {
    /// How long a peer may leave sent packets unread or stay silent. A day is longer than any run.
    private static let peerTimeout = Duration.seconds(86_400)

    let mtu: Int
    private let board: BoardClient
    private let number: Int

    init(_ number: Int, mtu: Int, on board: BoardClient) {
        self.number = number
        self.mtu = mtu
        self.board = board
    }

    deinit { close() }

    func send(_ packet: Data) async throws {
        _ = try await board.ask(.sendOnChannel(number, packet), within: BoardChannel.peerTimeout)
    }

    func receive() async throws -> Data {
        let result = try await board.ask(.receiveFromChannel(number), within: BoardChannel.peerTimeout)
        guard case .value(let packet) = result else { throw RadioError.rig("the host board answered with \(result)") }
        return packet
    }

    func close() { Task { [board, number] in _ = try? await board.ask(.closeChannel(number)) } }
}
