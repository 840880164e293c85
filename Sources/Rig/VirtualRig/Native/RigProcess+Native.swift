import BoardProtocol
import Foundation
import HILPOSIX

extension RigProcess {
    /// Makes the native boards with their ports and power switches, and switches those on that are not asleep.
    ///
    /// - Returns: The boards that are on.
    func startBoards(_ native: NativeBoards) throws -> [NativeBoard] {
        let boards = try configuration.parts.boards.map { role in
            let logs = "\(configuration.evidence)/\(role.rawValue)"
            try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
            let ports = "\(folder.path)/\(role.rawValue)"
            let slot = CoreSlot.take(in: configuration.base)
            let command = NativeCommand(
                role: role, boards: native, image: configuration.parts.image(of: role),
                agentDisk: configuration.parts.agentDisk,
                payloadDisk: role == .accessory ? configuration.parts.payloadDisk : nil, folder: "\(ports)/linux",
                core: slot?.core)
            let part = RigLoss.Part(role)
            return try NativeBoard(command, slot: slot, ports: ports, logs: logs, log: log(of: part)) {
                [weak self] how in self?.lose(part, how)
            }
        }
        nativeBoards.withLock { $0 = boards }
        for board in boards {
            try NativePower.serve(board, at: "\(folder.path)/\(board.role.rawValue)/power.sock") { [weak self] in
                self?.tellProcesses()
            }
        }
        let awake = boards.filter { !configuration.parts.asleep.contains($0.role) }
        for board in awake { try board.switchOn() }
        return awake
    }
}
