import HIL
import HILRecord
import RigModel

/// A rig that is kept running because a scenario failed on it.
package struct PausedRig: Sendable {
    /// The scenario's title.
    package let title: String
    /// The failure that decided the verdict.
    package let cause: Failure
    /// The address of the rig.
    package let endpoint: RigEndpoint
    /// The folder with the evidence so far: logs and the capture.
    package let folder: String

    init(_ planned: PlannedScenario, _ cause: Failure, _ endpoint: RigEndpoint, _ folder: String) {
        title = planned.title
        self.cause = cause
        self.endpoint = endpoint
        self.folder = folder
    }
}
