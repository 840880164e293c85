/// A place on a walk.
public struct AirWaypoint: Sendable, Hashable, Codable {
    /// Between the boards; nil is out of range.
    public var metres: Double?
    /// When the boards are there, from the start of the walk.
    public var time: Duration

    /// - Parameters:
    ///   - metres: Between the boards; nil is out of range.
    ///   - time: From the start of the walk.
    public static func at(_ metres: Double?, after time: Duration) -> AirWaypoint {
        AirWaypoint(metres: metres, time: time)
    }
}
