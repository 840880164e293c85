/// A place on a walk.
public struct AirWaypoint: Sendable, Hashable, Codable {
    /// The distance between the boards; nil is out of range.
    package var metres: Double?
    /// When the boards arrive there, counted from the start of the walk.
    package var time: Duration

    /// A waypoint at a distance and a time.
    ///
    /// - Parameters:
    ///   - metres: The distance between the boards, not negative; nil is out of range.
    ///   - time: Counted from the start of the walk; at most one hour.
    public static func at(_ metres: Double?, after time: Duration) -> AirWaypoint {
        AirWaypoint(metres: metres, time: time)
    }
}
