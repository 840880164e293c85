import HIL
import RigModel

/// A rig that stays as it is, because a scenario failed on it.
package struct PausedRig: Sendable {
    /// The scenario's title.
    package let title: String
    /// What decided.
    package let cause: Failure
    /// How the rig is reached.
    package let endpoint: RigEndpoint
    /// The folder with what is known so far: logs, and the capture.
    package let folder: String

    init(_ planned: PlannedScenario, _ cause: Failure, _ endpoint: RigEndpoint, _ folder: String) {
        title = planned.title
        self.cause = cause
        self.endpoint = endpoint
        self.folder = folder
    }
}
