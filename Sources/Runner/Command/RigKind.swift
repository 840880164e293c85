import Execution
import RigModel
import VirtualRig

/// A kind of rig that the command can run scenarios on.
package struct RigKind: Sendable {
    /// Makes all that its rigs need, unless that is there, and gives what starts them.
    ///
    /// - Parameters:
    ///   - interruption: What ends the set-up before its time.
    ///   - results: The folder of the results, for which there must be room as well.
    ///   - progress: Takes what is being done, a line for each.
    package typealias SetUp =
        @Sendable (
            _ interruption: Interruption, _ results: String, _ progress: @escaping @Sendable (String) -> Void
        ) async throws -> any RigProvider

    /// What its rigs have.
    let description: RigDescription
    /// How a worker connects to one.
    let connector: any RigConnector
    /// Makes what its rigs need.
    package let setUp: SetUp

    package init(_ description: RigDescription, connector: any RigConnector, setUp: @escaping SetUp) {
        self.description = description
        self.connector = connector
        self.setUp = setUp
    }

    /// Two virtual boards on this machine, and the air between them.
    package static let virtual = RigKind(VirtualRigs.description, connector: VirtualConnector()) {
        interruption, results, progress in
        let parts = try await Command.prepare(interruption, for: ResultsFolder.need(results), progress: progress)
        return VirtualRigs(parts) { try await Command.prepare(interruption) { _ in } }
    }
}
