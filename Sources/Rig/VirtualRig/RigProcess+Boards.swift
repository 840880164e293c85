import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

extension RigProcess {
    /// Handles a call of the runner while the rig runs.
    func handle(_ call: RigCall, _ id: UInt32) {
        Task {
            let outcome: Result<Answer, RigFailure>
            do throws(RigFailure) { outcome = .success(try await perform(call)) } catch { outcome = .failure(error) }
            RigProcess.write(Answerer<RigCall>.answer(id, outcome))
        }
    }

    private func perform(_ call: RigCall) async throws(RigFailure) -> Answer {
        switch call {
        case .saveBoards(let folder, let reply):
            do { try await keep(in: folder) } catch { throw .wrapping(error, while: "keeping both boards") }
            return reply()
        }
    }

    /// Saves both boards in a folder, at the same time, so that they are paused at nearly the same moment.
    private func keep(in folder: String) async throws {
        try await SavedBoards.make(folder, of: configuration.parts) { partial in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for board in runningBoards {
                    group.addTask { [self] in
                        try await board.keep(
                            in: SavedBoards.state(of: board.role, in: partial),
                            disk: SavedBoards.disk(of: board.role, in: partial),
                            by: "\(self.folder.path)/\(board.role.rawValue)/state.sock")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Restores both saved boards, and connects to their ports in place of the runner and the air, without answering.
    ///
    /// So a board still has its peers: its agent keeps the state of its client's work, and its radios stay plugged in.
    /// Its clock continues from the saved time. Everything that it sends is discarded.
    func restoreWhole(_ boards: [QEMUBoard], from kept: String) async throws {
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
                group.addTask { try await board.restoreWhole(from: SavedBoards.state(of: board.role, in: kept)) }
            }
            try await group.waitForAll()
        }
    }

    /// Writes the name of the scenario into the rig's folder, for ``RunningRigs``.
    func label() {
        var scenario = configuration.evidence
        if case .reopen(let kept) = configuration.purpose {
            scenario = URL(fileURLWithPath: kept).deletingLastPathComponent().path
        }
        // The folder of a retry is in the scenario's folder.
        let words = scenario.split(separator: "/").suffix(2)
        let name = words.last?.hasPrefix("attempt-") == true ? words.joined(separator: "/") : String(words.last ?? "")
        try? Data(name.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/label"))
        // The owner of the rig: the folder of its evidence, and the one in which it was started.
        let places = [configuration.evidence, FileManager.default.currentDirectoryPath].joined(separator: "\n")
        try? Data(places.utf8).write(to: URL(fileURLWithPath: "\(folder.path)/places"))
    }
}
