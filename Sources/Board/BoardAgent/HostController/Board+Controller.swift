import BoardProtocol
import HILPOSIX
import RadioModel

/// The adapter of a host board, which the phone's own host stack takes.
extension Board {
    package nonisolated func take(controller bytes: [UInt8]) {
        if case .lent(let controller) = bluetooth { controller.take(bytes) }
    }

    package nonisolated func conversationEnded() {
        guard case .lent(let controller) = bluetooth, let session = controller.session else { return }
        Task { await giveBack(controller, of: session) }
    }

    /// Gives the controller back that an ended conversation has taken.
    ///
    /// - Parameter session: Only if it was taken for this session; nil for any.
    func giveBack(_ controller: HostController, of session: UInt32? = nil) async {
        do { try await controller.giveBack(of: session) } catch {
            journal.write("the Bluetooth adapter is not as it was: \(error)", from: "agent")
        }
    }

    func perform(_ call: ControllerCall) async throws -> Answer {
        switch call {
        case .take(let reply):
            let (session, address) = try await hostController().take()
            return reply(TakenController(session: session, address: address))
        case .giveBack(let reply):
            try await hostController().giveBack()
            return reply()
        }
    }

    private func hostController() throws(RadioError) -> HostController {
        guard case .lent(let controller) = bluetooth else { throw .invalid("this is an accessory board") }
        return controller
    }
}
