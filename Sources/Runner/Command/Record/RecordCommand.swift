import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILPhone
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// `hil record`: declares an accessory that is on the air, as Swift.
struct RecordCommand: Sendable {
    let request: Request.Recording
    let plan: Plan
    /// The folder of the package.
    let root: String
    let rig: RigKind
    /// Writes the Swift file.
    let say: @Sendable (String) -> Void
    /// Called with messages about the command.
    let note: @Sendable (String) -> Void

    /// Records, and writes the file.
    ///
    /// - Throws: ``UsageError`` if it is not clear what to record; ``RigFailure``, ``RadioModel/RadioError`` or
    ///   ``HILTiming/TimedOut`` if it cannot be recorded.
    @MainActor
    func run(until interruption: Interruption) async throws {
        signal(SIGPIPE, SIG_IGN)
        let planned = try planned()
        let needs = (
            atSetUp: planned?.accessoryNeeds ?? AccessoryNeeds(),
            atStart: planned?.accessoryNeeds(in: root) ?? AccessoryNeeds()
        )
        let body = CancelledAtOnce()
        let lab = RigLab(
            rig: rig, boards: request.boards, needs: needs, root: root, planned: planned, note: note)
        let accessory = try await lab.use(until: interruption) { [note] event in
            body.take(event)
            // The display of an accessory as data, for the person at the terminal.
            guard case .accessory(let shown) = event, shown.kind == PeripheralEvent.passkeyKind else { return }
            note("the accessory \(shown.text)")
        } _: {
            try await record(planned, in: $0, body)
        }
        let name = request.name ?? SwiftText.name(for: accessory.name)
        for line in accessory.notes { note(line) }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyy-MM-dd HH:mm 'UTC'"
        say(PeripheralSource(recorded: accessory, name: name).text(on: format.string(from: Date())))
    }

    private func planned() throws -> PlannedScenario? {
        if let name = request.name, !SwiftText.isName(name) {
            throw UsageError(description: "a declaration's name is a Swift name: lamp7, not “\(name)”")
        }
        guard let scenario = request.scenario else {
            guard request.device != nil else {
                throw UsageError(
                    description: "no accessory is named: name the scenario that switches it on, or with --device NAME "
                        + "or --device ADDRESS one that is already on the air")
            }
            return nil
        }
        let planned = try PlayChoice(plan).choose(scenario)
        if let lack = planned.lack(on: rig.description(with: request.boards.kind)) {
            throw UsageError(description: "\(planned.identifier) cannot be run on this rig: \(lack)")
        }
        return planned
    }

    @MainActor
    private func record(
        _ planned: PlannedScenario?, in lab: Lab, _ body: CancelledAtOnce
    ) async throws -> RecordedAccessory {
        let answers = Task { [request, note] in
            try? await PasskeyAnswers(request.passkey, note: note).answer(lab.phone)
        }
        defer { answers.cancel() }
        var name: String?
        if let planned { name = try await switchedOn(by: planned, in: lab, body) }
        guard let target = request.device ?? name.map({ RecordedAccessory.Target.named($0) }) else {
            throw UsageError(
                description: "the scenario switched on no accessory that the board's agent hosts: "
                    + "name it with --device NAME")
        }
        note("recording \(target)")
        return try await lab.record(target)
    }

    /// Runs a scenario's body until its first accessory is on the air, or to its end.
    ///
    /// - Returns: The accessory's name; nil if the board's agent hosts none.
    @MainActor
    private func switchedOn(
        by planned: PlannedScenario, in lab: Lab, _ stop: CancelledAtOnce
    ) async throws -> String? {
        let body = Task { @MainActor in try await planned.scenario.perform(planned.oneCase, in: lab) }
        stop.begin(body)
        do {
            try await withDeadline(planned.scenario.traits.budget, waitingFor: "an accessory to be switched on") {
                try await withTaskCancellationHandler {
                    try await body.value
                } onCancel: {
                    body.cancel()
                }
            }
        } catch { if stop.name == nil { throw error } }
        lab.phone.terminateApp()
        return stop.name
    }
}

/// Cancels a scenario's body at the moment when its first accessory is on the air: its app must leave the accessory alone.
private final class CancelledAtOnce: Sendable {
    private struct State {
        var body: Task<Void, any Error>?
        var name: String?
    }

    private let state = Mutex(State())

    /// The accessory's name; nil until one that the board's agent hosts is on the air.
    var name: String? { state.withLock { $0.name } }

    /// The lab's events from now on come from the body; earlier ones are about the boards' adapters.
    func begin(_ body: Task<Void, any Error>) { state.withLock { $0.body = body } }

    func take(_ event: ScenarioEvent) {
        let body = state.withLock { state -> Task<Void, any Error>? in
            guard state.body != nil, state.name == nil, case .onAir(_, let what) = event,
                let start = what.firstIndex(of: "("), what.hasSuffix(")")
            else { return nil }
            state.name = String(what[what.index(after: start)...].dropLast())
            return state.body
        }
        body?.cancel()
    }
}
