import POSIX
import RigModel
import Timing

/// The power of one running virtual board, over its machine protocol socket in the rig's folder (`HOST-OR-ACCESSORY/qmp.sock`).
package final class BoardPower: Sendable {
    private let qmp: QMPClient

    /// Takes hold of the switch. One hold at a time.
    ///
    /// - Parameters:
    ///   - socket: The path of the socket.
    ///   - name: Which board it is, for errors.
    /// - Throws: ``RigFailure``, ``POSIX/SystemError`` or `TimedOut`: nobody answers there.
    package init(socket: String, name: String) async throws {
        qmp = QMPClient(try UnixSocket.connect(to: socket), name: name)
        try await qmp.run("qmp_capabilities")
    }

    /// Off: nothing runs on the board any more, and what its memory held is lost.
    package func cut() async throws { try await qmp.run("stop") }

    /// On again: the board boots. Returns when its processor has been reset.
    package func restore() async throws {
        let start = qmp.messages.count
        // A virtual board ends when it restarts by itself; this restart is ours.
        try await qmp.run("set-action", #"{"reboot":"reset"}"#)
        try await qmp.run("system_reset")
        try await qmp.run("cont")
        _ = try await qmp.messages.first(from: start, within: .seconds(10), waitingFor: "the board to be reset") {
            if case .event("RESET", _) = $0 { true } else { false }
        }
    }
}
