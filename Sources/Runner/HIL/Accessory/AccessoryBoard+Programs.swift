import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel

extension AccessoryBoard {
    /// Starts a program of the accessory's maker on the board, and returns when it is ready. Each adapter runs one program
    /// at a time.
    ///
    /// The program of a further adapter finds a separate board: `hci0` and no other adapter, a message bus, a
    /// bluetoothd, and the files of a new board, which it keeps over a restart. It shares the board's IP network, so
    /// that no two programs can listen on one port, and has no Wi-Fi radio.
    ///
    /// - Parameter adapter: 0 always exists, 1 to 7 are added at the first use. Start programs before accessories of
    ///   another kind are switched on on further adapters.
    /// - Throws: ``ProgramMistake`` for a mistake in the declaration; `RadioError.invalid` if the board
    ///   has no such program, user or folder; ``ProgramNotReady``; ``ProgramEnded`` if it ends before it is ready;
    ///   `RadioError.rig` if the board is at fault; `RigLacks` if this rig has no accessory board, or no
    ///   further adapters.
    @discardableResult
    public func run(
        _ program: AccessoryProgram, adapter: AdapterID = .first, fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws -> RunningProgram {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        recorder.noteCommand("run the program “\(program.name)”") {
            try await $0.accessory.run(program, adapter: adapter)
        }
        return try await recorder.call(at: location) {
            try air.rig.require(.accessoryBoard, recorder)
            if adapter == .first, let ahead = takeAhead(program) { return try await ahead.ready() }
            if let running = try await asItIs(program, on: adapter) { return running }
            // Whether another program runs is known when its start has ended.
            _ = try? await programs.withLock { $0.ahead }?.ready()
            return try await start(program, on: adapter, at: location)
        }
    }

    /// From now on a program that was started is taken as it is: with its files, and running if it runs.
    func keepAsItIs() { programs.withLock { $0.isAsItIs = true } }

    /// The program that runs on an adapter; nil if none does.
    func runningProgram(on adapter: AdapterID) -> RunningProgram? {
        programs.withLock { $0.running[adapter] }.flatMap { $0.isRunning ? $0 : nil }
    }

    /// The program that was started before, running; nil if it was not, or if a scenario starts each program anew.
    private func asItIs(_ program: AccessoryProgram, on adapter: AdapterID) async throws -> RunningProgram? {
        let before = programs.withLock { $0.isAsItIs ? $0.running[adapter] : nil }
        guard let before, before.program == program else { return nil }
        if !before.isRunning { try await before.start(keepsFiles: true) }
        return before
    }

    /// The hooks of the scenario's accessories.
    var hookRunners: [HookRunner] { programs.withLock { $0.hooks } }

    /// The program that was started last on an adapter.
    func program(on adapter: AdapterID) throws -> RunningProgram {
        if let program = programs.withLock({ $0.running[adapter] }) { return program }
        throw RadioError.invalid("no program was started on adapter \(adapter)")
    }

    /// The hooks of an accessory of this name: those of the program that runs, or of a device on the desk.
    func hooks(_ hooks: AccessoryHooks, of name: String, on adapter: AdapterID) -> HookRunner {
        if let running = programs.withLock({ $0.running[adapter] }), running.hooks.name == name { return running.hooks }
        return hookRunner(hooks, of: name, on: adapter)
    }

    /// The programs that were started.
    var startedPrograms: [RunningProgram] {
        programs.withLock { $0.running.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }
    }

    /// Begins to start the program that is already on when the scenario begins. A second call does nothing.
    func begin(_ program: AccessoryProgram, at location: SourceLocation) {
        if programs.withLock({ $0.hasFirst }) { return }
        // The declaration is not a call of the scenario: an error gets the line of the call that waits for it.
        let ahead = ProgramAhead(program: program, start: Task { try await start(program, on: .first, at: location) })
        programs.withLock { $0.ahead = ahead }
    }

    /// The start of the program that began with the board, for the first caller.
    private func takeAhead(_ program: AccessoryProgram) -> ProgramAhead? {
        programs.withLock { programs in
            guard let ahead = programs.ahead, ahead.program == program else { return nil }
            programs.ahead = nil
            return ahead
        }
    }

    /// Records that the program which began with the board could not be started, if the scenario never asked for it.
    func recordUnaskedFailure(at location: SourceLocation) async {
        guard let ahead = programs.withLock({ $0.ahead }) else { return }
        do { _ = try await ahead.ready() } catch {
            // A call that ran out of time has reported it.
            if (error as? ProgramEnded)?.isRecorded == true || error is CancellationError { return }
            recorder.record(.failure(Failure(error, at: location)))
        }
    }

    private func start(
        _ program: AccessoryProgram, on adapter: AdapterID, at location: SourceLocation
    ) async throws -> RunningProgram {
        try program.check(in: package)
        guard adapter.exists else {
            throw ProgramMistake(
                program.name, "there is no adapter \(adapter): a board has the adapters 0 to \(AdapterID.limit - 1)")
        }
        if let packages, let missing = program.packages.first(where: { !packages.contains($0) }) {
            throw ProgramMistake(
                program.name,
                "the board was started without its package \(missing): declare the program with the scenario's trait "
                    + ".accessory(…)")
        }
        let shared = programs.withLock { $0.shared }
        if let running = runningProgram(on: adapter) {
            throw ProgramMistake(
                program.name,
                "“\(running.name)” runs on adapter \(adapter) of the board, and each adapter runs one program at a time: "
                    + "stop it first, or name another adapter")
        }
        if let other = adapter == .first
            ? shared.min(by: { $0.rawValue < $1.rawValue }) : shared.first(where: { $0 == adapter })
        {
            throw ProgramMistake(
                program.name,
                "the accessory of adapter \(other) shares the board's bluetoothd, which the program needs for itself: "
                    + "start the program before that accessory is switched on")
        }
        let payload: EncodedPayload?
        do { payload = try program.payload(in: package) } catch {
            throw ProgramMistake(program.name, "its files cannot be sent to the board: \(error)")
        }
        if adapter != .first { try await plugIn(adapter, forProgram: true) }
        let started = RunningProgram(
            program, payload, on: board, adapter: adapter,
            hooks: hookRunner(program.hooks, of: program.name, on: adapter), at: location, recorder: recorder)
        programs.withLock { $0.running[adapter] = started }
        try await started.start(keepsFiles: false)
        return started
    }

    /// An accessory that the harness cannot touch, except by its hooks: a device on the desk.
    ///
    /// - Parameters:
    ///   - name: The name in logs, reports and messages: letters, digits, `-` and `_`.
    ///   - hooks: Commands to reset it, press its buttons and so on.
    public func blackBox(named name: String, hooks: AccessoryHooks = .none) -> BlackBox {
        BlackBox(hookRunner(hooks, of: name))
    }

    private func hookRunner(
        _ hooks: AccessoryHooks, of name: String, on adapter: AdapterID = .first
    ) -> HookRunner {
        let runner = HookRunner(
            hooks, of: name, board: board, adapter: adapter, on: air.rig, package: package, recorder: recorder)
        programs.withLock { $0.hooks.append(runner) }
        return runner
    }

    // MARK: Events of the board

    /// Records an event of the board that concerns programs.
    func take(_ event: BoardEvent) {
        let running = programs.withLock { $0.running }
        switch event {
        case .programPrinted(let lines, _, let adapter): running[adapter]?.take(lines)
        case .programEnded(let exit, let wasAsked, _, let adapter): running[adapter]?.take(exit, wasAsked: wasAsked)
        case .agentStarted: for program in running.values { program.lose() }
        default: break
        }
    }

    /// The board is lost: ends the waits for programs.
    func lose(_ error: any Error) {
        for program in programs.withLock({ $0.running.values }) { program.events.finish(throwing: error) }
    }

    // MARK: The end of a scenario

    /// Kills the programs that run.
    func endPrograms() async {
        for program in programs.withLock({ $0.running.values }) where program.isRunning {
            do { _ = try await program.end(grace: .zero) } catch {
                recorder.record(
                    .failure(Failure(.rig, "the program could not be ended: \(Failure(error).message)")))
            }
        }
    }

    /// How long the hooks at the end of a scenario may take.
    private static let lastHooksLimit = Duration.seconds(5)

    /// Reports the versions of the scenario's accessories, and keeps their logs.
    func runLastHooks() async {
        await withTaskGroup(of: Void.self) { group in
            for runner in programs.withLock({ $0.hooks }) {
                for name in [AccessoryHooks.Name.version, .logs] {
                    guard let hook = runner.hooks[name], runner.canRun(hook) else { continue }
                    group.addTask { [self] in await runLast(hook, name, of: runner) }
                }
            }
        }
    }

    private func runLast(_ hook: Hook, _ name: AccessoryHooks.Name, of runner: HookRunner) async {
        let short = Hook(place: hook.place, command: hook.command, limit: min(hook.limit, Self.lastHooksLimit))
        do {
            let text = try await runner.output(of: short, name)
            if name == .version {
                recorder.record(.accessoryVersion(name: runner.name, version: text))
            } else if let logs {
                // Names of black boxes are not checked before.
                let plain = runner.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" ? $0 : "_" }
                let number = runner.adapter == .first ? "" : "-\(runner.adapter)"
                try replaceFile("\(logs)/\(String(plain))\(number)-logs.log", with: text.utf8)
            }
        } catch { recorder.record(.note(text: "\(Failure(error).message)")) }
    }
}
