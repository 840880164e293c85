import Air
import BoardProtocol
import POSIX
import Phone
import RadioModel
import Timing
import VirtualRig

extension RigHandle {
    /// Has something go wrong with a board while `body` runs, and puts it right on every way out.
    ///
    /// Each firing is proved by what the board itself tells: a daemon's end by the signal that was sent, a power cut by the
    /// kernel's new boot, a full disk by a write that fails, a clock by its reading. What the fault makes the rig tell of
    /// itself, a daemon's end above all, is no finding then.
    ///
    /// - Parameters:
    ///   - count: How often it fires, one after the other; `body` runs in the last.
    /// - Returns: What `body` gives.
    /// - Throws: What `body` throws; ``RigFault`` when the fault did not fire or could not be put right.
    @MainActor @discardableResult
    public func withFault<Value>(
        _ fault: BoardFault, firing count: Int = 1, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, _ body: @MainActor () async throws -> Value
    ) async throws -> Value {
        guard count > 0 else { throw RigFault("a fault that fires \(count) times is none") }
        let putRight = try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            for _ in 1..<count { try await fire(fault)() }
            return try await fire(fault)
        }
        let value: Value
        do { value = try await body() } catch {
            do { try await putRight() } catch let second {
                recorder.record(.failure(Failure(.rig, "\(fault), and not put right: \(Failure(second).message)")))
            }
            throw error
        }
        try await putRight()
        return value
    }

    /// What puts a fault right again.
    private typealias Remedy = @MainActor () async throws -> Void

    /// Has a fault fire, with proof.
    @MainActor
    private func fire(_ fault: BoardFault) async throws -> Remedy {
        recorder.record(.note(text: "fault: \(fault)"))
        let remedy = try await RigFault.unless(done: "“\(fault)” did not fire") { try await strike(fault) }
        return { [recorder] in
            guard let remedy else { return }
            try await RigFault.unless(done: "“\(fault)” could not be put right") { try await remedy() }
            recorder.record(.note(text: "put right: \(fault)"))
        }
    }

    /// Does to a board what a fault says.
    ///
    /// - Returns: What puts it right; nil where that has happened.
    @MainActor
    private func strike(_ fault: BoardFault) async throws -> Remedy? {
        switch fault {
        case .killed(let daemon, let role, let comesBack), .crashed(let daemon, let role, let comesBack):
            let remedy =
                if case .killed = fault { try await kill(daemon, on: role) } else { try await crash(daemon, on: role) }
            guard comesBack == .atOnce else { return remedy }
            try await remedy()
            return nil
        case .agentKilled(let role):
            try await killAgent(of: role)
            return nil
        case .adapterUnplugged(let role, let adapter): return try await unplug(adapter, of: role)
        case .powerCut(let role): return try await cutPower(of: role)
        case .clockJump(let by, let role): return try await jump(by, on: role)
        case .diskFull(let role, let bytes): return try await fill(role, leaving: bytes)
        }
    }

    // MARK: - Daemons

    private func kill(_ daemon: BoardDaemon, on role: BoardRole) async throws -> Remedy {
        try await end(daemon, on: role, by: 9, proof: "signal 9")
    }

    /// The board's kernel tells of a crash, and the finding has a backtrace: that is the proof.
    private func crash(_ daemon: BoardDaemon, on role: BoardRole) async throws -> Remedy {
        try await end(daemon, on: role, by: 11, proof: "crashed with signal 11 at ")
    }

    private func end(
        _ daemon: BoardDaemon, on role: BoardRole, by signal: Int32, proof: String
    ) async throws -> Remedy {
        let board = board(role)
        let place = board.events.count
        tolerance.expectLoss(of: daemon, on: role)
        try await order(.killDaemon(daemon, signal: signal), on: board)
        let (event, _) = try await board.events.first(
            from: place, within: .seconds(5), waitingFor: "\(daemon.rawValue) to be reported dead", clock: clock
        ) { if case .daemonLost(daemon.rawValue, _) = $0 { true } else { false } }
        guard case .daemonLost(_, let how) = event, how.contains(proof) else {
            throw RigFault("\(daemon.rawValue) was to end with “\(proof)”, and told \(event)")
        }
        return { [self] in
            try await order(.startDaemon(daemon), on: board)
            try await power(board)
            guard try await health(of: board).daemons.contains(daemon) else {
                throw RigFault("\(daemon.rawValue) did not come back on the \(role.rawValue) board")
            }
        }
    }

    private func killAgent(of role: BoardRole) async throws {
        let board = board(role)
        let place = board.events.count
        tolerance.expectRestart(of: role)
        // It has no time to answer.
        let farewell = Task { try? await order(.killAgent, on: board) }
        defer { farewell.cancel() }
        try await untilAgentStarted(board, from: place, within: .seconds(30))
        try await power(board)
    }

    /// Waits for an agent that was started anew, and begins the conversation with it.
    private func untilAgentStarted(_ board: BoardClient, from place: Int, within limit: Duration) async throws {
        _ = try await board.events.first(
            from: place, within: limit, waitingFor: "the \(board.role.rawValue) board's agent to start anew",
            clock: clock
        ) { if case .agentStarted = $0 { true } else { false } }
        try await board.greet()
        try await order(.setClock(nanoseconds: wallClockNanoseconds()), on: board)
    }

    // MARK: - Hardware

    private func unplug(_ adapter: AdapterID, of role: BoardRole) async throws -> Remedy {
        try await air.done(.detach(role, .bluetooth, adapter: adapter))
        try await order(.awaitUnplugging(adapter), on: board(role))
        return { [self] in try await air.plugIn(adapter, of: role) }
    }

    private func cutPower(of role: BoardRole) async throws -> Remedy {
        guard let socket = powerSockets[role] else { throw RigFault("the \(role.rawValue) board has no power switch") }
        let board = board(role)
        let before = try await health(of: board).boot
        guard case .value(let disk) = try await board.ask(.saveDisk) else {
            throw RigFault("the \(role.rawValue) board's disk cannot be read")
        }
        let power = try await BoardPower(socket: socket, name: role.rawValue)
        let place = board.events.count
        tolerance.expectRestart(of: role)
        tolerance.expectRadiosGone(true, of: role)
        try await power.cut()
        try await air.done(.silence(role, .bluetooth))
        try await air.done(.silence(role, .wifi))
        return { [self] in
            try await power.restore()
            try await untilAgentStarted(board, from: place, within: .seconds(60))
            guard try await health(of: board).boot != before else {
                throw RigFault("the \(role.rawValue) board's power was cut and it runs on")
            }
            tolerance.expectLoss(of: .bluetoothd, on: role)
            try await order(.restoreDisk(disk), on: board)
            try await air.done(.attach(role, .bluetooth))
            try await air.done(.attach(role, .wifi))
            try await self.power(board)
            tolerance.expectRadiosGone(false, of: role)
        }
    }

    // MARK: - Clock and disk

    private func jump(_ by: Duration, on role: BoardRole) async throws -> Remedy {
        let board = board(role)
        let offset = Int64(by.seconds * 1e9)
        try await order(.setClock(nanoseconds: UInt64(clamping: Int64(wallClockNanoseconds()) + offset)), on: board)
        let there = Int64(clamping: try await health(of: board).clock) - Int64(wallClockNanoseconds())
        guard abs(there - offset) < 5_000_000_000 else {
            throw RigFault("the \(role.rawValue) board's clock was to jump by \(by.short) and is \(there) ns off")
        }
        return { [self] in try await order(.setClock(nanoseconds: wallClockNanoseconds()), on: board) }
    }

    private func fill(_ role: BoardRole, leaving bytes: Int) async throws -> Remedy {
        let board = board(role)
        // The agent sees itself that a write fails.
        guard case .number(let left) = try await board.ask(.fillDisk(leaving: bytes)), left <= bytes + 8192 else {
            throw RigFault("the \(role.rawValue) board's disk could not be filled")
        }
        return {
            guard case .number(let free) = try await board.ask(.freeDisk), free > left else {
                throw RigFault("the \(role.rawValue) board's disk stays full")
            }
        }
    }

    // MARK: - Asking

    private func power(_ board: BoardClient) async throws {
        _ = try await board.ask(.powerRadios, within: .seconds(30))
    }

    private func order(_ command: BoardCommand, on board: BoardClient) async throws {
        guard case .done = try await board.ask(command) else {
            throw RigFault("the \(board.role.rawValue) board did not do \(command.name)")
        }
    }
}
