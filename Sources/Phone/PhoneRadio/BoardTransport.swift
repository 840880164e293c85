import BoardProtocol
import RadioModel

/// The Bluetooth controller of a host board, which the board's agent has taken from the kernel.
///
/// A packet counts as taken when its reader has asked for it: see ``BoardProtocol/ControllerWindow``.
package final class BoardTransport: ControllerTransport {
    package let packets: AsyncThrowingStream<[UInt8], any Error>
    /// The controller's public address.
    package let address: DeviceAddress
    private let board: BoardClient
    private let conversation: ControllerConversation

    /// Takes the controller.
    ///
    /// - Parameter board: A connected host board whose radios are powered.
    /// - Throws: ``RadioModel/RadioError`` with the reason why the board cannot give it.
    package static func take(from board: BoardClient) async throws -> BoardTransport {
        let conversation = ControllerConversation { [weak board] in board?.send($0) }
        // The first packets may come before the answer.
        board.onController { conversation.receive($0) }
        do {
            let taken = try await board.ask { .controller(.take($0)) }
            conversation.begin(taken.session)
            return BoardTransport(board, conversation, taken.address)
        } catch {
            board.onController(nil)
            throw error
        }
    }

    private init(_ board: BoardClient, _ conversation: ControllerConversation, _ address: DeviceAddress) {
        (self.board, self.conversation, self.address) = (board, conversation, address)
        packets = AsyncThrowingStream { try await conversation.next() }
    }

    deinit { close() }

    package func send(_ packet: [UInt8]) throws(RadioError) { try conversation.send(packet) }

    package func close() {
        guard conversation.close() else { return }
        board.onController(nil)
        // The end of the connection gives it back, too.
        Task { [board] in try? await board.ask { .controller(.giveBack($0)) } }
    }

    /// Closes the transport; returns when the board has its controller back, as it was.
    package func giveBack() async throws {
        guard conversation.close() else { return }
        board.onController(nil)
        try await board.ask { .controller(.giveBack($0)) }
    }
}
