import BoardProtocol
import Foundation
import POSIX

extension RigProcess {
    /// Makes both native boards with their ports and power switches, and switches them on.
    func startBoards(_ native: NativeBoards) throws -> [NativeBoard] {
        let boards = try [BoardRole.host, .accessory].map { role in
            let logs = "\(configuration.evidence)/\(role.rawValue)"
            try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
            let ports = "\(folder.path)/\(role.rawValue)"
            let slot = CoreSlot.take(in: configuration.base)
            let command = NativeCommand(
                role: role, boards: native, image: configuration.parts.image,
                agentDisk: configuration.parts.agentDisk, folder: "\(ports)/linux", core: slot?.core)
            let part = RigLoss.Part(role)
            return try NativeBoard(command, slot: slot, ports: ports, logs: logs, log: log(of: part)) {
                [weak self] how in self?.lose(part, how)
            }
        }
        nativeBoards.withLock { $0 = boards }
        for board in boards {
            try NativePower.serve(board, at: "\(folder.path)/\(board.role.rawValue)/power.sock")
            try board.switchOn()
        }
        return boards
    }
}

/// Finds a board's own process among those that start it and shut it in.
enum BoardProcess {
    /// The process called `linux` at or below a process; the process itself if there is none, which is QEMU then.
    static func linux(below process: Int32) -> Int32 {
        var next = [process]
        // Four programs at most stand above it.
        for _ in 0..<6 {
            if let found = next.first(where: { name(of: $0) == "linux" }) { return found }
            next = next.flatMap(children)
        }
        return process
    }

    private static func name(of process: Int32) -> String {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/comm") ?? Data()
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    private static func children(of process: Int32) -> [Int32] {
        let text = FileManager.default.contents(atPath: "/proc/\(process)/task/\(process)/children") ?? Data()
        return String(decoding: text, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }
}
