import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// A bench that a run has taken: its boards, and the sockets through which workers reach their agents.
actor Bench: TakenBench {
    nonisolated let address: BenchAddress
    nonisolated var name: String { address.name }
    private let lent: LentBench
    private let folder: RigFolder
    private let boards: [BenchBoard]
    private let relays: [BoardRole: AgentRelay]
    private let lines: [BoardRole: CurrentLine]
    private var capture: BenchCapture?
    private let captures: Bool

    /// Takes the boards of a bench.
    ///
    /// - Parameter holder: The user, the machine and the run.
    /// - Throws: ``RigFailure``. Then the boards are given back, but the bench is not.
    init(_ lent: LentBench, holder: String, captures: Bool) async throws {
        address = lent.address
        self.lent = lent
        self.captures = captures
        folder = try RigFolder(base: Bench.base)
        var boards: [BenchBoard] = []
        var relays: [BoardRole: AgentRelay] = [:]
        var lines: [BoardRole: CurrentLine] = [:]
        for (role, board) in [(BoardRole.host, lent.address.host), (.accessory, lent.address.accessory)] {
            guard let board else { continue }
            let lease = BoardLease(role: role, holder: holder, captures: captures)
            let taken = BenchBoard(board, as: role, lease: lease, cyclePower: lent.cyclePower)
            boards.append(taken)
            let current = CurrentLine()
            lines[role] = current
            await taken.tellLine { current.line = $0 }
            relays[role] = try AgentRelay(at: "\(folder.path)/\(role.rawValue)/agent.sock") {
                current.line?.sendToAgent($0)
            }
        }
        (self.boards, self.relays, self.lines) = (boards, relays, lines)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for board in boards { group.addTask { try await board.take() } }
                try await group.waitForAll()
            }
        } catch {
            _ = await giveBoardsBack()
            throw error
        }
    }

    /// The folders of benches' sockets. It is short, because the path of a socket has at most 107 bytes.
    private static var base: String { "/tmp/hil-bench-\(geteuid())" }

    /// Resets both boards, and starts their agents.
    ///
    /// - Parameters:
    ///   - depth: The minimum depth of the reset.
    ///   - evidence: The folder for logs and capture.
    /// - Returns: Lines for the record.
    func begin(at depth: BenchBoard.Depth, evidence: String) async throws -> [String] {
        if captures { capture = try BenchCapture(path: "\(evidence)/\(Bench.captureName)") }
        for board in boards { try await board.log(into: "\(evidence)/\(board.role.rawValue)") }
        let (boards, relays, capture) = (boards, relays, capture)
        let notes = try await withThrowingTaskGroup(of: [String].self) { group in
            for board in boards {
                // Each role has its relay.
                group.addTask { try await board.begin(relays[board.role]!, capture, at: depth) }
            }
            return try await group.reduce([]) { $0 + $1 }
        }
        var lines = ["bench \(address.name)"] + notes
        for board in boards {
            let seconds = Duration.seconds(await board.resetSeconds).short
            lines.append("\(board.address) was reset in \(seconds); its clock is off by \(await board.clock.text)")
            for lack in await board.captureLacks { lines.append("not captured on \(board.address): \(lack)") }
        }
        return lines
    }

    /// The name of the capture in a scenario's folder.
    static let captureName = "capture.pcapng"

    /// Ends the agents. After that logs and capture are complete.
    ///
    /// - Returns: Sentences on who else used the boards' radios during the run.
    func end() async throws -> [String] {
        defer {
            capture?.close()
            capture = nil
        }
        let boards = boards
        let intrusions = try await withThrowingTaskGroup(of: [String].self) { group in
            for board in boards { group.addTask { try await board.end() } }
            return try await group.reduce([]) { $0 + $1 }
        }
        for board in boards { try await board.log(into: nil) }
        return intrusions
    }

    /// Waits until a board is lost, or the bench is no longer lent. Returns the reason.
    func lost() async throws -> String {
        let (boards, lent, name) = (boards, lent, address.name)
        return try await withThrowingTaskGroup(of: String.self) { group in
            for board in boards {
                group.addTask { "the \(board.role) board \(board.address) of bench \(name): \(try await board.lost())" }
            }
            group.addTask { "bench \(name): \(try await lent.lost())" }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    var isConnected: Bool {
        get async {
            for board in boards where await !board.isConnected { return false }
            return true
        }
    }

    /// The addresses of its parts for workers.
    nonisolated var sockets: [String: String] {
        var sockets = ["bench": address.name]
        for (role, relay) in relays { sockets[role.rawValue] = relay.path }
        return sockets
    }

    /// How late the boards have answered heartbeats.
    nonisolated var answerTimes: [BoardRole: AnswerTimes] { lines.compactMapValues { $0.line?.answerTimes } }

    func giveBack() async -> [String] {
        let problems = await giveBoardsBack()
        await lent.giveBack()
        return problems
    }

    private func giveBoardsBack() async -> [String] {
        let boards = boards
        let problems = await withTaskGroup(of: [String].self) { group in
            for board in boards { group.addTask { await board.giveBack() } }
            return await group.reduce([]) { $0 + $1 }
        }
        for relay in relays.values { relay.close() }
        folder.remove()
        return problems
    }
}

/// The line to a board that may be connected anew, for threads that must not wait.
private final class CurrentLine: Sendable {
    private let value = Mutex<BoardLine?>(nil)

    var line: BoardLine? {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
