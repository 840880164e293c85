import Execution
import RigModel
import VirtualRig

/// A kind of rig that the command can run scenarios on.
package struct RigKind: Sendable {
    /// Makes everything that the rigs need if it does not exist, and returns the provider that starts them.
    ///
    /// - Parameters:
    ///   - interruption: Ends the set-up early.
    ///   - results: The folder of the results, which also needs disk space.
    ///   - progress: Called with a line for each step.
    package typealias SetUp =
        @Sendable (
            _ interruption: Interruption, _ results: String, _ progress: @escaping @Sendable (String) -> Void
        ) async throws -> any RigProvider

    /// The capabilities of its rigs.
    let description: RigDescription
    /// Connects a worker to one of its rigs.
    let connector: any RigConnector
    /// Prepares its rigs.
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
