import BoardProtocol
import HILPOSIX

/// Starts rigs of one kind, one after the other or side by side, each in its initial state.
package protocol RigProvider: Sendable {
    /// The capabilities of its rigs. A scenario that needs more is skipped.
    var description: RigDescription { get }

    /// What reports call its rigs: the kind, or the names of benches. Times are compared only between rigs of one name.
    var label: String { get }

    /// Why rigs of this kind were chosen, in a line; empty if there was no choice.
    var choice: String { get }

    /// The accessory board's system where a scenario asks for no other; nil if it is not known.
    var accessorySystem: BoardSystem? { get }

    /// What one of its rigs takes of this machine.
    var footprint: RigFootprint { get }

    /// Whether there are only so many of its rigs, and others want them: then one more than run scenarios is not started.
    var isScarce: Bool { get }

    /// Starts a rig in its initial state, and waits until its agents answer.
    ///
    /// - Parameters:
    ///   - needs: What the scenario asks of the accessory board.
    ///   - evidence: The absolute path of the folder for the rig's logs, in `host/` and `accessory/`.
    /// - Throws: ``RigFailure`` with the reason and what to do about it. Then no part of the rig is left running.
    func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig

    /// The same for a scenario that met an error on another rig: takes one of another name, if there is one.
    ///
    /// - Parameter avoided: The ``RunningRig/name`` of that rig.
    func start(for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?) async throws -> any RunningRig

    /// Whether a scenario could run on a rig of another name.
    func hasOther(than name: String) async -> Bool

    /// Called when no more rigs are needed. What was taken for all of them is given back.
    func close() async
}

/// A rig that runs. The code that started it must stop it.
package protocol RunningRig: Sendable {
    /// The address for workers.
    var endpoint: RigEndpoint { get }

    /// Lines for the log about its start, for example that a snapshot could not be used.
    var notes: [String] { get }

    /// Waits until a part of the rig fails before ``stop()`` is called. Returns which part, and how it failed.
    ///
    /// - Throws: `CancellationError`.
    func lost() async throws -> String

    /// Witnesses of how late its parts on this machine are; empty if unknown.
    var times: [RigPart: PartTimes] { get }

    /// How long each board has left heartbeats unanswered; empty if it is asked for none.
    var answerTimes: [BoardRole: AnswerTimes] { get }

    /// The processor time of the rig's parts so far; nil if unknown.
    var use: RigUse? { get }

    /// Whether it has this board.
    func has(_ board: BoardRole) -> Bool

    /// Connects to a board's agent after its worker has gone.
    ///
    /// - Throws: If the agent does not answer within `limit`.
    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient

    /// Saves the state of both boards in a new folder, completely or not at all. The boards continue to run.
    ///
    /// - Throws: ``RigFailure`` with the reason and what to do about it; ``RigLacks`` if the rig has no
    ///   ``Capability/snapshot``.
    func saveBoards(in folder: String) async throws

    /// Stops all parts of the rig. After that, its logs are complete.
    func stop() async

    /// After ``stop()``: what makes everything that the scenario saw worthless, a sentence each.
    var findings: [String] { get }

    /// Its name, where rigs are not all alike: that of a bench. nil if they are.
    var name: String? { get }

    /// Called after ``stop()``, when nothing more is asked of the rig.
    ///
    /// - Parameter isError: Whether the attempt on it ended in an error of the rig.
    func release(isError: Bool) async
}

/// Processor time of the parts of a rig that run on this machine.
package struct RigUse: Sendable, Equatable {
    /// The boards: the system on them, and what the machine does to run it.
    package var boards: Duration
    /// Everything else: the air, and the process that owns the parts.
    package var rest: Duration

    package init(boards: Duration, rest: Duration) { (self.boards, self.rest) = (boards, rest) }
}

/// Defaults for a rig that has two boards and nothing more.
extension RunningRig {
    package var notes: [String] { [] }

    package func has(_ board: BoardRole) -> Bool { true }

    package var times: [RigPart: PartTimes] { [:] }

    package var answerTimes: [BoardRole: AnswerTimes] { [:] }

    package var use: RigUse? { nil }

    package var findings: [String] { [] }

    package var name: String? { nil }

    package func release(isError: Bool) async {}

    package func saveBoards(in folder: String) async throws {
        if let lack = endpoint.description.lack(of: [.snapshot]) { throw lack }
        throw RigFailure(
            "keeping both boards",
            "the \(endpoint.description.kind) rig reports this capability, but does not implement it")
    }
}

extension RigProvider {
    package var label: String { description.kind }

    package var choice: String { "" }

    package var accessorySystem: BoardSystem? { nil }

    package var footprint: RigFootprint { .emulated }

    package var isScarce: Bool { false }

    package func start(
        for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?
    ) async throws -> any RunningRig { try await start(for: needs, evidence: evidence) }

    package func hasOther(than name: String) async -> Bool { false }

    package func close() async {}
}
