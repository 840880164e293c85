import BoardProtocol
import Foundation
import HIL
import HILExecution
import HILPOSIX
import RigModel
import VirtualRig

/// `hil open` and `hil shell`: lets a person work on boards.
struct Boards: Sendable {
    let interruption: Interruption
    /// Called with the results of the command.
    let say: @Sendable (String) -> Void
    /// Called with messages about the command.
    let note: @Sendable (String) -> Void

    /// Restores both boards of a failed scenario, and runs them until a signal comes or the shell ends.
    ///
    /// - Returns: The exit code.
    func open(_ request: Request.Opening) async throws -> Int32 {
        let root = Project.find()
        let results = request.out ?? "\(root)/results"
        let scenario = try SavedScenario.find(request.name, results: results, root: root)
        let kept = try await SavedBoards(opening: scenario.boards)
        return try await with({ try await VirtualRig.reopen(kept, evidence: $0) }) { rig in
            if let role = request.shell { return try await shell(role, [], on: rig.place) }
            let (program, name) = (Command.invocation.program, rig.place.name)
            say(
                """
                both boards of \(rig.place.label) continue from the moment of the failure; their radios hear nothing
                    \(program) shell host --rig \(name)
                    \(program) shell accessory --rig \(name)
                in another terminal give a root shell on each; Ctrl-C here ends both boards
                """)
            return try await withThrowingTaskGroup(of: RigFailure?.self) { group in
                group.addTask {
                    for await loss in rig.losses { return RigFailure("keeping both boards", "\(loss)") }
                    return nil
                }
                group.addTask {
                    try? await interruption.wait()
                    return nil
                }
                defer { group.cancelAll() }
                if let error = try await group.next() ?? nil { throw error }
                return 0
            }
        }
    }

    /// Opens a shell on a board of a running rig, or of new boards if no rig runs.
    ///
    /// - Returns: The exit code.
    func shell(_ request: Request.Shelling) async throws -> Int32 {
        if let place = try RunningRigInfo.choose(request.rig, of: RunningRigs.withShells(), in: Project.find()) {
            return try await shell(request.role, request.command, on: place)
        }
        note("no rig runs: starting fresh boards for this shell alone")
        let parts = try await Command.prepare(interruption, request.boards, [request.system], progress: note)[
            request.system]!
        return try await with({ try await VirtualRig.start(parts, evidence: $0) }) { rig in
            var options = LabOptions()
            options.capture = "\(rig.evidence)/\(Evidence.capture)"
            // The same state as at the start of a scenario: radios plugged in and powered, the phone on.
            let lab = try await Lab.open(
                { try await VirtualConnector().connect(to: rig.endpoint) }, options: options,
                recorder: ScenarioRecorder { _ in })
            defer { withExtendedLifetime(lab) {} }
            return try await shell(request.role, request.command, on: rig.place)
        }
    }

    private func shell(_ role: BoardRole, _ command: [String], on place: RunningRigInfo) async throws -> Int32 {
        try await BoardShell(role: role, command: command, interruption: interruption, note: note).run(on: place)
    }

    /// Calls `body` with a new rig. Afterwards the rig is stopped, and its logs are removed.
    private func with(
        _ start: (_ logs: String) async throws -> VirtualRig, _ body: (VirtualRig) async throws -> Int32
    ) async throws -> Int32 {
        let logs = try RigFolder()
        defer { logs.remove() }
        let rig = try await start(logs.path)
        let code: Int32
        do { code = try await body(rig) } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
        return code
    }
}
