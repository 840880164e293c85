import BoardProtocol
import Foundation
import POSIX

extension RigProcess {
    /// Does what the runner asks while the rig runs.
    func obey(_ order: RigOrder) {
        switch order {
        case .keepBoards(let folder):
            Task {
                do {
                    try await keep(in: folder)
                    RigProcess.tell(.kept)
                } catch { RigProcess.tell(.notKept(.wrapping(error, while: "keeping both boards"))) }
            }
        }
    }

    /// Writes both boards into a folder, side by side, so that they stop at nearly the same moment.
    private func keep(in folder: String) async throws {
        try await KeptBoards.make(folder, of: configuration.parts) { partial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for board in runningBoards {
                    group.addTask { [self] in
                        try await board.keep(
                            in: KeptBoards.state(of: board.role, in: partial),
                            by: "\(self.folder.path)/\(board.role.rawValue)/state.sock")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Brings both boards back as they were kept, and takes the places of runner and air at their ports, in silence.
    ///
    /// So a board finds the other sides that it had: its agent keeps what it did for its client, and the radios stay
    /// plugged in. Its clock goes on from where it stood. What it sends is thrown away.
    func bringBack(_ boards: [QEMUBoard], from kept: String) async throws {
        for board in boards {
            for port in ["agent", "bluetooth", "wifi"] {
                let socket = try UnixSocket.connect(to: "\(folder.path)/\(board.role.rawValue)/\(port).sock")
                startThread(named: "silence") {
                    while let bytes = try? socket.read(), !bytes.isEmpty {}
                }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for board in boards {
                group.addTask { try await board.bringBack(from: KeptBoards.state(of: board.role, in: kept)) }
            }
            try await group.waitForAll()
        }
    }

    /// Writes down what the rig runs, for who looks for one.
    func label() {
        var scenario = configuration.evidence
        if case .reopen(let kept) = configuration.purpose {
            scenario = URL(fileURLWithPath: kept).deletingLastPathComponent().path
        }
        // A retry's folder lies in its scenario's.
        let words = scenario.split(separator: "/").suffix(2)
        let name = words.last?.hasPrefix("attempt-") == true ? words.joined(separator: "/") : String(words.last ?? "")
        try? Data(name.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/label"))
    }
}
