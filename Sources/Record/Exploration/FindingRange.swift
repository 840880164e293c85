/// Where along a journey the faults of a finding do the same harm.
package struct FindingRange: Sendable, Hashable {
    /// The first and the last moment at which one of the faults did the harm.
    package var first, last: Moment
    /// The moment after the last at which the fault did something else; nil if it makes sense at no later one, or that is
    /// not known.
    package var end: Moment?
    /// Whether the fault is known to do something else, or to make no sense, just before the first moment.
    package var beginsThere: Bool
    /// The same after the last.
    package var endsThere: Bool
    /// How many moments did the harm, how many between them did none, and at how many between them nothing was tried.
    package var hits, misses, open: Int
    /// The trials that would bring its beginning and its end nearer to what they are, each in the middle of what is not
    /// known.
    package var edges: [TrialOrder.Cell]

    /// In words: `at any moment from write(FF01) to before notify(FF02)`.
    package var words: String {
        guard hits > 1 else { return "at \(first)" }
        guard misses == 0 else { return "at \(hits) of the \(hits + misses) moments tried from \(first) to \(last)" }
        let any = open == 0 ? "any moment" : "any moment tried"
        guard beginsThere, endsThere else { return "at \(any), at least from \(first) to \(last)" }
        return "at \(any) from \(first) \(end.map { "to before \($0)" } ?? "on")"
    }

    package init(
        first: Moment, last: Moment, end: Moment? = nil, beginsThere: Bool, endsThere: Bool, hits: Int, misses: Int = 0,
        open: Int = 0, edges: [TrialOrder.Cell] = []
    ) {
        (self.first, self.last, self.end, self.edges) = (first, last, end, edges)
        (self.beginsThere, self.endsThere) = (beginsThere, endsThere)
        (self.hits, self.misses, self.open) = (hits, misses, open)
    }
}

extension FindingRange {
    /// - Parameters:
    ///   - trials: Those of the finding.
    ///   - results: All trials of the exploration.
    /// - Returns: Nil for pairs of faults, and if the journey does not have the moments.
    package init?(of trials: [TrialResult], among results: [TrialResult], _ info: ExplorationInfo) {
        guard trials.allSatisfy({ $0.second == nil }) else { return nil }
        let map = FindingMap(trials, results, info)
        guard let first = map.rows.firstIndex(where: map.isHit), let last = map.rows.lastIndex(where: map.isHit) else {
            return nil
        }
        let between = map.rows[first...last].filter { !map.isHit($0) }
        let misses = between.count { $0.values.contains(.other) }
        let open = between.count { $0.values.contains(.open) && !$0.values.contains(.other) }
        let (start, end) = (map.edge(at: first, towards: -1), map.edge(at: last, towards: 1))
        self.init(
            first: info.moments[first].moment, last: info.moments[last].moment,
            end: end.next.map { info.moments[$0].moment }, beginsThere: start.isKnown, endsThere: end.isKnown,
            hits: last - first + 1 - between.count, misses: misses, open: open,
            edges: [start.middle, end.middle].compactMap { $0 })
    }
}

/// What is known of the faults of a finding at each moment of the journey.
private struct FindingMap {
    enum Cell {
        /// It did the harm of the finding.
        case hit
        /// It did something else.
        case other
        /// It was not tried.
        case open
        /// It was tried, and nothing is known.
        case unproven
    }

    /// An edge of the range.
    struct Edge {
        /// Whether nothing is open between the range and the moment at which the fault does something else.
        var isKnown = false
        /// The place of that moment; nil if there is none.
        var next: Int?
        /// The trial in the middle of what is open.
        var middle: TrialOrder.Cell?
    }

    /// What each fault did at each moment at which it makes sense.
    let rows: [[String: Cell]]
    private let moments: [Moment]
    private let faults: [String]

    init(_ trials: [TrialResult], _ results: [TrialResult], _ info: ExplorationInfo) {
        let hits = Set(trials.map(\.cell))
        let mine = Set(hits.map(\.fault))
        faults = info.faults.filter(mine.contains)
        moments = info.moments.map(\.moment)
        let leftOut = Set(info.leftOut.flatMap(\.cells))
        var tried: [TrialOrder.Cell: Bool] = [:]
        for result in results where result.second == nil {
            tried[result.cell] = tried[result.cell] ?? false || !result.outcome.isUnproven
        }
        rows = info.moments.map { [faults] place in
            var row: [String: Cell] = [:]
            for fault in faults {
                let cell = TrialOrder.Cell(fault, at: place.moment)
                guard !leftOut.contains(cell) else { continue }
                row[fault] = hits.contains(cell) ? .hit : tried[cell].map { $0 ? .other : .unproven } ?? .open
            }
            return row
        }
    }

    func isHit(_ row: [String: Cell]) -> Bool { row.values.contains(.hit) }

    /// The edge at the outermost hit. One fault that did it there is enough; of several, the one of which most is known.
    func edge(at place: Int, towards step: Int) -> Edge {
        let candidates = faults.filter { rows[place][$0] == .hit }.map { edge(of: $0, at: place, towards: step) }
        return candidates.first { $0.isKnown && $0.next != nil } ?? candidates.first { $0.isKnown } ?? candidates.first
            ?? Edge()
    }

    private func edge(of fault: String, at place: Int, towards step: Int) -> Edge {
        var edge = Edge(isKnown: true)
        var open: [Int] = []
        var row = place + step
        while rows.indices.contains(row), edge.next == nil {
            switch rows[row][fault] {
            case .other: edge.next = row
            case .open:
                open.append(row)
                edge.isKnown = false
            case .unproven: edge.isKnown = false
            case .hit, nil: break
            }
            row += step
        }
        if !open.isEmpty { edge.middle = TrialOrder.Cell(fault, at: moments[open[open.count / 2]]) }
        return edge
    }
}
