import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel

extension AccessoryBoard {
    /// Starts a program of the accessory's maker on the board, and returns when it is ready. The board runs one program
    /// at a time.
    ///
    /// - Throws: ``ProgramMistake`` for a mistake in the declaration; ``RadioModel/RadioError/invalid(_:)`` if the board
    ///   has no such program, user or folder; ``ProgramNotReady``; ``ProgramEnded`` if it ends before it is ready;
    ///   ``RadioModel/RadioError/rig(_:)`` if the board is at fault; ``RigLacks`` if this rig has no accessory board.
    @discardableResult
    public func run(
        _ program: AccessoryProgram, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> RunningProgram {
        let location = SourceLocation(file: fileID, path: filePath, line: line)
        return try await recorder.call(at: location) {
            try air.rig.require(.accessoryBoard, recorder)
            if let ahead = takeAhead(program) { return try await ahead.ready() }
            // Whether another program runs is known when its start has ended.
            _ = try? await programs.withLock { $0.ahead }?.ready()
            return try await start(program, at: location)
        }
    }

    /// Begins to start the program that is on already when the scenario begins.
    func begin(_ program: AccessoryProgram, at location: SourceLocation) {
        // The declaration's line is no call of the scenario's: an error gets the line of the call that waits for it.
        let ahead = ProgramAhead(program: program, start: Task { try await start(program, at: location) })
        programs.withLock { $0.ahead = ahead }
    }

    /// The start of the program that began with the board, for the first who asks.
    private func takeAhead(_ program: AccessoryProgram) -> ProgramAhead? {
        programs.withLock { programs in
            guard let ahead = programs.ahead, ahead.program == program else { return nil }
            programs.ahead = nil
            return ahead
        }
    }

    /// Records that the program which began with the board could not be started, if the scenario has never asked for it.
    func recordUnaskedFailure(at location: SourceLocation) async {
        guard let ahead = programs.withLock({ $0.ahead }) else { return }
        do { _ = try await ahead.ready() } catch {
            // A call that ran out of time has told so.
            if (error as? ProgramEnded)?.isRecorded == true || error is CancellationError { return }
            recorder.record(.failure(Failure(error, at: location)))
        }
    }

    private func start(_ program: AccessoryProgram, at location: SourceLocation) async throws -> RunningProgram {
        try program.check(in: package)
        if let packages, let missing = program.packages.first(where: { !packages.contains($0) }) {
            throw ProgramMistake(
                program.name,
                "the board was started without its package \(missing): declare the program with the scenario's trait "
                    + ".accessory(…)")
        }
        if let running = programs.withLock({ $0.program }), running.isRunning {
            throw ProgramMistake(
                program.name, "“\(running.name)” runs on the board, which runs one program at a time: stop it first")
        }
        let payload: EncodedPayload?
        do { payload = try program.payload(in: package) } catch {
            throw ProgramMistake(program.name, "its files cannot be sent to the board: \(error)")
        }
        let running = RunningProgram(
            program, payload, on: board, hooks: hookRunner(program.hooks, of: program.name), at: location,
            recorder: recorder)
        programs.withLock { $0.program = running }
        try await running.start(keepsFiles: false)
        return running
    }

    /// An accessory that the harness cannot touch, except by its hooks: a device on the desk.
    ///
    /// - Parameters:
    ///   - name: The name in logs, reports and messages: letters, digits, `-` and `_`.
    ///   - hooks: Commands to reset it, press its buttons and so on.
    public func blackBox(named name: String, hooks: AccessoryHooks = .none) -> BlackBox {
        BlackBox(hookRunner(hooks, of: name))
    }

    private func hookRunner(_ hooks: AccessoryHooks, of name: String) -> HookRunner {
        let runner = HookRunner(
            hooks, of: name, board: board, on: air.rig, package: package, recorder: recorder)
        programs.withLock { $0.hooks.append(runner) }
        return runner
    }

    // MARK: Events of the board

    /// Records an event of the board that concerns the program.
    func take(_ event: BoardEvent) {
        let program = programs.withLock { $0.program }
        switch event {
        case .programPrinted(let lines, _): program?.take(lines)
        case .programEnded(let exit, let wasAsked, _): program?.take(exit, wasAsked: wasAsked)
        case .agentStarted: program?.lose()
        default: break
        }
    }

    /// The board is lost: ends the waits for the program.
    func lose(_ error: any Error) { programs.withLock { $0.program }?.events.finish(throwing: error) }

    // MARK: The end of a scenario

    /// Kills the program, if one runs.
    func endProgram() async {
        guard let program = programs.withLock({ $0.program }), program.isRunning else { return }
        do { _ = try await program.end(grace: .zero) } catch {
            recorder.record(.failure(Failure(.rig, "the program could not be ended: \(Failure(error).message)")))
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
                try replaceFile("\(logs)/\(String(plain))-logs.log", with: text.utf8)
            }
        } catch { recorder.record(.note(text: "\(Failure(error).message)")) }
    }
}
