import HILLabgrid
import HILPOSIX

/// Benches for a person at the terminal. Pure: lines without newlines come out.
struct BenchText {
    /// Whether times are shown in the machine's time zone; otherwise in UTC.
    var isLocal = true

    /// A line for each place, and one more for what is wrong with it.
    func lines(_ places: [LabgridPlace], of coordinator: String) -> [String] {
        if places.isEmpty {
            return ["the coordinator at \(coordinator) has no places: `labgrid-client -p NAME create` makes one"]
        }
        let width = max(5, places.map { PlainText.line($0.name).count }.max() ?? 0)
        var lines: [String] = []
        for place in places {
            let name = PlainText.line(place.name)
            let state = PlainText.line(BenchText.state(of: place, isLocal: isLocal))
            lines.append(name + String(repeating: " ", count: width - name.count) + "  \(state)")
            let details = [
                place.boards.map(BenchText.words), place.problem.map { "not a bench: \($0)" },
                place.tags.isEmpty
                    ? nil
                    : "tags: " + place.tags.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ", "),
                place.aliases.isEmpty ? nil : "also called \(place.aliases.joined(separator: ", "))",
                place.comment.isEmpty ? nil : place.comment,
            ]
            lines += details.compactMap { $0 }.map { String(repeating: " ", count: width + 2) + PlainText.line($0) }
        }
        let free = places.count { $0.holder == nil && $0.reserved == nil && $0.boards != nil }
        return lines + ["", "\(places.count) place\(places.count == 1 ? "" : "s") at \(coordinator), \(free) free"]
    }

    /// A line for each place that was released or is kept.
    func lines(_ outcome: [LabgridRelease]) -> [String] {
        if outcome.isEmpty { return ["no killed job of yours holds a place"] }
        return outcome.map { one in
            let line =
                switch (one.holder, one.released) {
                case (let holder?, true): "released \(one.place), which was held by \(holder)"
                case (let holder?, false):
                    "kept \(one.place), which is held by \(holder): name the place to release it anyway"
                case (nil, _): "nobody holds \(one.place)"
                }
            return PlainText.line(line)
        }
    }

    /// Who has a place, or that it is free.
    static func state(of place: LabgridPlace, isLocal: Bool = true) -> String {
        if let holder = place.holder {
            // The time comes from another machine, and may have any value.
            let since = place.since.flatMap { $0 > 0 && $0 < 1e11 ? Int($0) : nil }.map {
                " since " + calendarText($0, "%Y-%m-%d %H:%M", isLocal: isLocal)
            }
            return "held by \(holder)\(since ?? "")"
        }
        if let holder = place.reserved { return "reserved by \(holder)" }
        return place.problem == nil ? "free" : "cannot be used"
    }

    private static func words(_ boards: LabgridPlace.Boards) -> String {
        let accessory = boards.accessory.map { "accessory \($0)" } ?? "no accessory board"
        let power = boards.power.isEmpty ? "" : "; power of \(boards.power.joined(separator: " and ")) can be switched"
        return "host \(boards.host), \(accessory)\(power)"
    }
}
