import HILPOSIX
import HILTiming
import RigModel

/// Switches the power of one running virtual board, through its QMP socket in the rig's folder
/// (`HOST-OR-ACCESSORY/qmp.sock`).
final class BoardPower: PowerSwitch {
    private let qmp: QMPClient

    /// Connects to the socket, which accepts one client at a time.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket.
    ///   - name: The board's name, for errors.
    /// - Throws: ``RigFailure``, ``HILPOSIX/SystemError`` or `TimedOut` if QEMU does not answer.
    init(socket: String, name: String) async throws {
        qmp = QMPClient(try UnixSocket.connect(to: socket), name: name)
        try await qmp.run("qmp_capabilities")
    }

    func cut() async throws { try await qmp.run("stop") }

    /// Lets a board run that was restored and paused.
    func wake() async throws { try await qmp.run("cont") }

    /// Returns when the board's processor has been reset.
    func restore() async throws {
        let start = qmp.messages.count
        // QEMU exits when a board restarts on its own; this restart is intended.
        try await qmp.run("set-action", #"{"reboot":"reset"}"#)
        try await qmp.run("system_reset")
        try await qmp.run("cont")
        _ = try await qmp.messages.first(from: start, within: .seconds(10), waitingFor: "the board to be reset") {
            if case .event("RESET", _) = $0 { true } else { false }
        }
    }
}
