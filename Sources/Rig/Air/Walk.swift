import RigModel

/// A change of the distance between the boards over time.
struct Walk {
    private let path: [AirWaypoint]
    private let start: ContinuousClock.Instant

    /// How long a walk may take.
    static let limit = Duration.seconds(3600)

    /// Why this path is invalid; nil if it is valid.
    static func problem(with path: [AirWaypoint]) -> String? {
        guard let last = path.last else { return "a path needs at least one place" }
        if path.contains(where: { $0.metres.map { !($0 >= 0) } ?? false }) { return "a distance must not be negative" }
        if zip(path, path.dropFirst()).contains(where: { $1.time < $0.time }) || path[0].time < .zero {
            return "the places of a path must be in order of time"
        }
        return last.time > limit ? "a path must end within an hour" : nil
    }

    /// - Parameter path: A path for which ``problem(with:)`` is nil.
    init(_ path: [AirWaypoint], from metres: Double?, at start: ContinuousClock.Instant) {
        self.path = [.at(metres, after: .zero)] + path
        self.start = start
    }

    /// Whether the last place is reached.
    func isOver(at now: ContinuousClock.Instant) -> Bool { start.duration(to: now) >= path[path.count - 1].time }

    /// The distance at a moment, in metres; nil is out of range.
    ///
    /// Between two places it changes evenly. To and from out of range it changes at once, on arrival.
    func distance(at now: ContinuousClock.Instant) -> Double? {
        let time = start.duration(to: now)
        guard let next = path.firstIndex(where: { $0.time > time }) else { return path[path.count - 1].metres }
        guard next > 0, let from = path[next - 1].metres else { return path[max(0, next - 1)].metres }
        guard let to = path[next].metres, from.isFinite, to.isFinite else { return from }
        return from + (to - from) * ((time - path[next - 1].time) / (path[next].time - path[next - 1].time))
    }
}
