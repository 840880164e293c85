import BoardProtocol
import HILPOSIX

/// Starts rigs of one kind, one after the other or side by side, each in its initial state.
package protocol RigProvider: Sendable {
    /// The capabilities of its rigs. A scenario that needs more is skipped.
    var description: RigDescription { get }

    /// The name of its rigs in reports: the kind, or the names of benches. Times are compared only between rigs of one
    /// name.
    var label: String { get }

    /// Why rigs of this kind were chosen, in a line; empty if there was no choice.
    var choice: String { get }

    /// The accessory board's default system; nil if unknown.
    var accessorySystem: BoardSystem? { get }

    /// The resources that one of its rigs uses on this machine.
    var footprint: RigFootprint { get }

    /// When the next scenario's rig is started.
    var nextRig: NextRig { get }

    /// Starts a rig in its initial state, and waits until its agents answer.
    ///
    /// - Parameters:
    ///   - needs: The scenario's requirements on the accessory board.
    ///   - evidence: The absolute path of the folder for the rig's logs, in `host/` and `accessory/`.
    /// - Throws: ``RigFailure`` with the reason and what to do about it. Then no part of the rig is left running.
    func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig

    /// The same for a scenario that met an error on another rig: takes one with another name, if possible.
    ///
    /// - Parameter avoided: The ``RunningRig/name`` of that rig.
    func start(for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?) async throws -> any RunningRig

    /// Whether a scenario could run on a rig with another name.
    func hasOther(than name: String) async -> Bool

    /// Called when no more rigs are needed. Shared resources are given back.
    func close() async
}

/// When the next scenario's rig is started, the earliest first.
package enum NextRig: Sendable, Comparable {
    /// While the last scenario runs: the start costs little, and a rig that waits costs nothing.
    case whileLastRuns
    /// While the boards of the last scenario are switched off and its evidence is written.
    case whileLastStops
    /// When the last rig was given back: rigs are few, and others need them.
    case afterLast
}

/// A rig that runs. The code that started it must stop it.
package protocol RunningRig: Sendable {
    /// The address for workers.
    var endpoint: RigEndpoint { get }

    /// Lines for the log about its start, for example that a snapshot could not be used.
    var notes: [String] { get }

    /// Waits until a part of the rig fails before ``stop()`` is called. Returns the part, and how it failed.
    ///
    /// - Throws: `CancellationError`.
    func lost() async throws -> String

    /// Measurements of how late its parts on this machine are; empty if unknown.
    var times: [RigPart: PartTimes] { get }

    /// How long each board has left heartbeats unanswered; empty without heartbeats.
    var answerTimes: [BoardRole: AnswerTimes] { get }

    /// The processor time of the rig's parts so far; nil if unknown.
    var use: RigUse? { get }

    /// Whether it has this board.
    func has(_ board: BoardRole) -> Bool

    /// Connects to a board's agent after its worker has ended.
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

    /// After ``stop()``: findings that invalidate the scenario's result, a sentence each.
    var findings: [String] { get }

    /// Its name if rigs differ, as benches do; nil if all are alike.
    var name: String? { get }

    /// Called after ``stop()``, when the rig is no longer needed.
    ///
    /// - Parameter isError: Whether the attempt on it ended in an error of the rig.
    func release(isError: Bool) async
}

/// Processor time of the parts of a rig that run on this machine.
package struct RigUse: Sendable, Equatable {
    /// The boards: their systems, and the machine's work to run them.
    package var boards: Duration
    /// Everything else: the air, and the process that owns the parts.
    package var rest: Duration

    package init(boards: Duration, rest: Duration) { (self.boards, self.rest) = (boards, rest) }
}

/// Defaults for a rig with two boards and nothing more.
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

    package var nextRig: NextRig { .whileLastStops }

    package func start(
        for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?
    ) async throws -> any RunningRig { try await start(for: needs, evidence: evidence) }

    package func hasOther(than name: String) async -> Bool { false }

    package func close() async {}
}
