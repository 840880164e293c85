import Foundation
import HIL
import HILExecution
import HILRecord
import RigModel
import VirtualRig

/// A lab for a command that runs no scenario: a rig of its own, with the phone switched on.
struct RigLab: Sendable {
    let rig: RigKind
    /// Which virtual boards to take.
    var boards = BoardsRequest()
    /// What the set-up must offer, and what the rig starts with.
    var needs = (atSetUp: AccessoryNeeds(), atStart: AccessoryNeeds())
    /// The folder of the package.
    let root: String
    /// The scenario that switches something on; nil for none.
    var planned: PlannedScenario?
    /// Called with messages about the rig.
    let note: @Sendable (String) -> Void

    /// Does something in the lab, and releases the rig on every way out. An interruption cancels it.
    ///
    /// - Parameter take: Called with each event of the lab.
    @MainActor
    func use<Value: Sendable>(
        until interruption: Interruption, _ take: @escaping @Sendable (ScenarioEvent) -> Void = { _ in },
        _ body: @escaping @MainActor @Sendable (Lab) async throws -> Value
    ) async throws -> Value {
        let folder = try RigFolder()
        defer { folder.remove() }
        let rigs = try await rig.setUp(interruption, folder.path, boards, [needs.atSetUp]) { note($0) }
        let work = Task { @MainActor in try await use(rigs, in: folder.path, take, body) }
        let watch = Task {
            try await interruption.wait()
            work.cancel()
        }
        defer { watch.cancel() }
        let result = await work.result
        await rigs.close()
        return try result.get()
    }

    @MainActor
    private func use<Value: Sendable>(
        _ rigs: any RigProvider, in folder: String, _ take: @escaping @Sendable (ScenarioEvent) -> Void,
        _ body: @MainActor (Lab) async throws -> Value
    ) async throws -> Value {
        for name in ["host", "accessory"] { mkdir("\(folder)/\(name)", 0o700) }
        let running = try await rigs.start(for: needs.atStart, evidence: folder)
        let result: Result<Value, any Error>
        do { result = .success(try await use(running, rigs.description, folder, take, body)) } catch {
            result = .failure(error)
        }
        await running.stop()
        await running.release(isError: false)
        return try result.get()
    }

    @MainActor
    private func use<Value: Sendable>(
        _ running: any RunningRig, _ description: RigDescription, _ folder: String,
        _ take: @escaping @Sendable (ScenarioEvent) -> Void, _ body: @MainActor (Lab) async throws -> Value
    ) async throws -> Value {
        let endpoint = running.endpoint
        guard let connector = rig.connectors.first(where: { $0.kind == endpoint.description.kind }) else {
            throw RigFailure("connecting to the rig", "this program does not know this kind of rig")
        }
        var options = LabOptions()
        options.capture = "\(folder)/\(Evidence.capture)"
        options.logs = "\(folder)/accessory"
        options.package = root
        if description.has(.boardSystem) { options.packages = planned?.accessoryNeeds.packages }
        let recorder = ScenarioRecorder { take($0.stamped.event) }
        let stacks = planned.map { HostStacksAhead(of: $0.scenario) }
        let lab = try await Lab.open(
            { try await connector.connect(to: endpoint) }, with: stacks,
            keepsProgram: planned?.scenario.traits.startingPrograms.isEmpty == false, options: options,
            recorder: recorder)
        let result: Result<Value, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        await lab.close()
        return try result.get()
    }
}
