import HIL

/// A rig that stays as it is, because a scenario failed on it.
public struct PausedRig: Sendable {
    /// The scenario's title.
    public let title: String
    /// What decided.
    public let cause: Failure
    /// Where the rig is.
    public let endpoints: RigEndpoints

    init(_ planned: PlannedScenario, _ cause: Failure, _ endpoints: RigEndpoints) {
        title = planned.title
        self.cause = cause
        self.endpoints = endpoints
    }
}
