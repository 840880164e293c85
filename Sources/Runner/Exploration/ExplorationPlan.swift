import HILRecord

/// What an exploration tries: every fault at every moment where it makes sense.
package struct ExplorationPlan: Sendable {
    package typealias Cell = TrialOrder.Cell

    /// A fault that is not tried at a moment, and why.
    package struct LeftOut: Sendable, Hashable {
        package var cell: Cell
        package var reason: String
    }

    /// The trials, the most different first.
    package private(set) var cells: [Cell] = []
    /// In the order of moments and faults.
    package private(set) var leftOut: [LeftOut] = []
    /// The faults that are tried or left out, in the order of their table.
    package let faults: [String]
    /// The moments in the order of the journey.
    let order: [Moment]

    /// - Parameters:
    ///   - faults: Only these, by name; none is all.
    ///   - moments: Only these, as a person writes them; none is all.
    ///   - seed: Determines the order.
    package init(_ journey: Journey, faults wanted: [String] = [], at moments: [String] = [], seed: UInt64 = 1) {
        let all = FaultKind.allCases.map(\.rawValue) + journey.teamFaults
        order = journey.moments.map(\.moment)
        faults = all.filter { wanted.isEmpty || wanted.contains($0) }
        for place in journey.moments {
            let isWanted = moments.isEmpty || moments.contains(where: place.moment.isWritten)
            for fault in faults {
                let cell = Cell(fault, at: place.moment)
                guard isWanted else {
                    leftOut.append(LeftOut(cell: cell, reason: "other moments were chosen"))
                    continue
                }
                let nonsense = journey.unavailable[fault] ?? FaultKind(rawValue: fault)?.nonsense(at: place)
                if let nonsense { leftOut.append(LeftOut(cell: cell, reason: nonsense)) } else { cells.append(cell) }
            }
        }
        cells = ExplorationPlan.mostDifferentFirst(cells, seed)
    }

    /// Why nothing is tried; nil if something is.
    package func problem(faults wanted: [String], at moments: [String], _ journey: Journey) -> String? {
        let known = FaultKind.allCases.map(\.rawValue) + journey.teamFaults
        if let unknown = wanted.first(where: { !known.contains($0) }) {
            return "there is no fault \(unknown); there are \(known.joined(separator: ", "))"
        }
        let unknown = moments.first { text in !journey.moments.contains { $0.moment.isWritten(text) } }
        if let unknown {
            return "the journey has no moment \(unknown): --moments shows them"
        }
        guard cells.isEmpty else { return nil }
        let wanted = leftOut.first { left in moments.isEmpty || moments.contains(where: left.cell.moment.isWritten) }
        return wanted.map { "\($0.cell) makes no sense: \($0.reason)" } ?? "nothing is left to try"
    }

    /// Orders the cells so that each fault and each moment comes early: next is one of those whose fault, by its weight,
    /// and moment have been tried least. The seed decides between equals.
    private static func mostDifferentFirst(_ cells: [Cell], _ seed: UInt64) -> [Cell] {
        var generator = SplitMix64(seed)
        // By name: the order of two moments may differ from run to run.
        let named = cells.map { ("\($0)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        var rest = generator.shuffle(named)
        var (faults, moments): ([String: Int], [Moment: Int]) = ([:], [:])
        var ordered: [Cell] = []
        while !rest.isEmpty {
            var best = 0
            var least = Int.max
            for (index, cell) in rest.enumerated() {
                let count =
                    ExplorationPlan.rounds(of: cell.fault, faults[cell.fault, default: 0])
                    + moments[cell.moment, default: 0]
                if count < least { (best, least) = (index, count) }
            }
            let cell = rest.remove(at: best)
            faults[cell.fault, default: 0] += 1
            moments[cell.moment, default: 0] += 1
            ordered.append(cell)
        }
        return ordered
    }

    /// How many rounds a fault has had, of one trial at first and of its weight later.
    private static func rounds(of fault: String, _ trials: Int) -> Int {
        let weight = FaultKind(rawValue: fault)?.weight ?? 1
        return (trials + weight - 1) / weight
    }
}
