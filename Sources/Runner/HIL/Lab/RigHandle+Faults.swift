import BoardProtocol
import Foundation
import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import RigModel

extension RigHandle {
    /// Runs `body` while a board has a fault, and repairs the fault afterwards, even if `body` throws.
    ///
    /// The board itself proves each firing: for a daemon the signal that ended it, for a power cut the kernel's new
    /// boot, for a full disk a write that fails, for a clock its reading. Messages that the fault causes, such as the
    /// end of the daemon, do not count as failures of the rig.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong, and on which board.
    ///   - count: How often it fires, one after the other. `body` runs after the last firing.
    /// - Returns: The value of `body`.
    /// - Throws: The error of `body`; `RigFailure` if the fault did not fire or could not be repaired; `RigLacks`
    ///   if this rig cannot make it happen.
    @MainActor @discardableResult
    public func withFault<Value>(
        _ fault: BoardFault, firing count: Int = 1, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ body: @MainActor () async throws -> Value
    ) async throws -> Value {
        guard count > 0 else {
            throw RigFailure("firing “\(fault)”", "a fault fires at least once, not \(count) times")
        }
        let repair = try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            for _ in 1..<count { try await fire(fault)() }
            return try await fire(fault)
        }
        let value: Value
        do { value = try await body() } catch {
            do { try await repair() } catch let second {
                recorder.record(.failure(Failure(.rig, "\(fault), and not repaired: \(Failure(second).message)")))
            }
            throw error
        }
        try await repair()
        return value
    }

    /// Repairs a fault.
    typealias Repair = @MainActor () async throws -> Void

    /// Makes a fault fire, and checks that it did.
    ///
    /// - Returns: The repair.
    @MainActor
    func fire(_ fault: BoardFault) async throws -> Repair {
        if fault.board == .accessory { try connection.require(.accessoryBoard, recorder) }
        if fault.breaksBoard { try connection.require(.ownBoards, recorder) }
        if connection.asleep.contains(fault.board) { try await board(fault.board).ask { .system(.wake($0)) } }
        recorder.record(.note(text: "fault: \(fault)"))
        let repair = try await RigFailure.doing("firing “\(fault)”") { try await strike(fault) }
        return { [recorder] in
            guard let repair else { return }
            try await RigFailure.doing("repairing “\(fault)”") { try await repair() }
            recorder.record(.note(text: "repaired: \(fault)"))
        }
    }

    /// Makes a fault happen on its board.
    ///
    /// - Returns: The repair; nil if the fault is repaired already.
    @MainActor
    private func strike(_ fault: BoardFault) async throws -> Repair? {
        switch fault {
        case .killed(let daemon, let role, let comesBack), .crashed(let daemon, let role, let comesBack):
            let repair =
                if case .killed = fault { try await kill(daemon, on: role) } else { try await crash(daemon, on: role) }
            guard comesBack == .atOnce else { return repair }
            try await repair()
            return nil
        case .agentKilled(let role):
            try await killAgent(of: role)
            return nil
        case .adapterUnplugged(let role, let adapter): return try await unplug(adapter, of: role)
        case .powerCut(let role): return try await cutPower(of: role, inOrder: false)
        case .reboot(let role):
            // As the board's own command does it.
            try await cutPower(of: role, inOrder: true)()
            return nil
        case .clockJump(let by, let role): return try await jump(by, on: role)
        case .diskFull(let role, let bytes): return try await fill(role, leaving: bytes)
        }
    }

    // MARK: - Daemons

    private func kill(_ daemon: BoardDaemon, on role: BoardRole) async throws -> Repair {
        try await end(daemon, on: role, by: 9, proof: "signal 9")
    }

    /// The proof of a crash is the backtrace that the board's kernel gives.
    private func crash(_ daemon: BoardDaemon, on role: BoardRole) async throws -> Repair {
        try await end(daemon, on: role, by: 11, proof: "crashed with signal 11 at ")
    }

    private func end(
        _ daemon: BoardDaemon, on role: BoardRole, by signal: Int32, proof: String
    ) async throws -> Repair {
        let board = board(role)
        let place = board.events.count
        tolerance.expectLoss(of: daemon, on: role)
        try await board.ask { .fault(.killDaemon(daemon, signal: signal, $0)) }
        let (event, _) = try await board.events.first(
            from: place, within: .seconds(5), waitingFor: "\(daemon.rawValue) to be reported dead", clock: clock
        ) { if case .daemonLost(daemon.rawValue, _, _) = $0 { true } else { false } }
        guard case .daemonLost(_, let how, _) = event, how.contains(proof) else {
            throw RigFailure(
                "ending \(daemon.rawValue)", on: "the \(role.rawValue) board",
                "it should have ended with “\(proof)”, but the agent reported \(event)")
        }
        return { [self] in
            try await board.ask { .fault(.startDaemon(daemon, $0)) }
            try await power(board)
            guard try await health(of: board).daemons.contains(daemon) else {
                throw RigFailure(
                    "starting \(daemon.rawValue)", on: "the \(role.rawValue) board", "it did not come back")
            }
        }
    }

    private func killAgent(of role: BoardRole) async throws {
        let board = board(role)
        let place = board.events.count
        tolerance.expectRestart(of: role)
        // The agent has no time to answer.
        let killing = Task { try? await board.ask { .fault(.killAgent($0)) } }
        defer { killing.cancel() }
        try await untilAgentStarted(board, from: place, within: .seconds(30))
        try await power(board)
    }

    /// Waits until the agent has started again, greets it, and sets its clock.
    private func untilAgentStarted(_ board: BoardClient, from place: Int, within limit: Duration) async throws {
        _ = try await board.events.first(
            from: place, within: limit, waitingFor: "the \(board.role.rawValue) board's agent to start again",
            clock: clock
        ) { if case .agentStarted = $0 { true } else { false } }
        try await board.greet()
        try await board.ask { .system(.setClock(nanoseconds: wallClockNanoseconds(), $0)) }
    }

    // MARK: - Hardware

    private func unplug(_ adapter: AdapterID, of role: BoardRole) async throws -> Repair {
        let adapters = try connection.facet(connection.adapters, .adapters, recorder)
        try await adapters.detach(.bluetooth, from: role, adapter: adapter)
        try await board(role).ask { .fault(.waitForAdapterRemoval(adapter, $0)) }
        return { [connection, recorder] in
            try await connection.plugIn(.bluetooth, of: role, adapter: adapter, recorder)
        }
    }

    /// - Parameter inOrder: Whether everything ends in order first, and is written to the disk.
    private func cutPower(of role: BoardRole, inOrder: Bool) async throws -> Repair {
        let power = try connection.facet(connection.power, .power, recorder)
        let board = board(role)
        let before = try await health(of: board).boot
        let place = board.events.count
        tolerance.expectRestart(of: role)
        if inOrder { try await board.ask { .fault(.shutDown($0)) } }
        tolerance.expectRadiosGone(true, of: role)
        try await power.cut(role)
        for radio in AirRadio.allCases { try await connection.adapters?.silence(radio, of: role) }
        return { [self] in
            try await power.restore(role)
            try await untilAgentStarted(board, from: place, within: .seconds(60))
            guard try await health(of: board).boot != before else {
                throw RigFailure("cutting the power", on: "the \(role.rawValue) board", "it still runs")
            }
            for radio in AirRadio.allCases {
                _ = try await connection.adapters?.attach(radio, to: role, adapter: .first)
            }
            try await self.power(board)
            tolerance.expectRadiosGone(false, of: role)
        }
    }

    // MARK: - Clock and disk

    private func jump(_ by: Duration, on role: BoardRole) async throws -> Repair {
        let board = board(role)
        let offset = Int64(by.seconds * 1e9)
        let clock = UInt64(clamping: Int64(wallClockNanoseconds()) + offset)
        try await board.ask { .system(.setClock(nanoseconds: clock, $0)) }
        let there = Int64(clamping: try await health(of: board).clock) - Int64(wallClockNanoseconds())
        guard abs(there - offset) < 5_000_000_000 else {
            throw RigFailure(
                "setting the clock", on: "the \(role.rawValue) board",
                "it should have jumped by \(by.short), but is \(there) ns off")
        }
        return { try await board.ask { .system(.setClock(nanoseconds: wallClockNanoseconds(), $0)) } }
    }

    private func fill(_ role: BoardRole, leaving bytes: Int) async throws -> Repair {
        let board = board(role)
        // The agent checks that a write fails.
        let left = try await board.ask { .fault(.fillDisk(leaving: bytes, $0)) }
        guard left <= bytes + 8192 else {
            throw RigFailure(
                "filling the disk", on: "the \(role.rawValue) board", "more than \(bytes) bytes are still free")
        }
        return {
            guard try await board.ask({ .fault(.freeDisk($0)) }) > left else {
                throw RigFailure("emptying the disk", on: "the \(role.rawValue) board", "it stays full")
            }
        }
    }

    // MARK: - Asking

    private func power(_ board: BoardClient) async throws {
        try await board.ask { .system(.powerRadios($0)) }
    }
}
