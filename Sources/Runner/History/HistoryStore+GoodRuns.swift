import HILRecord

/// A run in the history, as a baseline for a later one.
package struct PastRun: Sendable, Hashable {
    /// A result of it.
    package struct Result: Sendable, Hashable {
        /// The identifier of the case, without a round.
        package var scenario: String
        package var verdict: Verdict
        package var actual: Verdict?
        /// Why it did not pass.
        package var cause: String?
        /// What came of an audit's check; nil if it is none.
        package var audit: AuditOutcome?
    }

    /// The name of its folder.
    package var name: String
    /// Nanoseconds since 1970.
    package var began: UInt64
    package var bench: RunMachine
    package var results: [Result]
}

extension HistoryStore {
    /// How many good runs are looked at.
    private static let newest = 50

    /// The last good run: the newest one in which nothing failed, no rig failed and no signal came, and that has most of
    /// some cases. Of two that have as many of them, it is the newer one.
    ///
    /// - Parameters:
    ///   - time: It began earlier than this, in nanoseconds since 1970.
    ///   - scenarios: The identifiers of the cases, without rounds.
    /// - Returns: nil if no good run has any of the cases.
    package func lastGoodRun(before time: UInt64, of scenarios: Set<String>) throws(HistoryError) -> PastRun? {
        var best: (id: Int64, count: Int)?
        var counts: [Int64: Int] = [:]
        var order: [Int64] = []
        try database.run(
            """
            SELECT good.id, results.scenario FROM (
                SELECT id, began FROM runs WHERE began < ? AND signal IS NULL AND seconds IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM results WHERE run = runs.id AND verdict IN ('failed', 'error'))
                ORDER BY began DESC LIMIT ?) AS good
            JOIN results ON results.run = good.id
            WHERE verdict != 'skipped' GROUP BY good.id, results.scenario ORDER BY good.began DESC, good.id DESC
            """, [.integer(Int64(clamping: time)), .init(HistoryStore.newest)]
        ) { row in
            guard let id = row[0].integer, let scenario = row[1].text, scenarios.contains(scenario) else { return }
            if counts[id] == nil { order.append(id) }
            counts[id, default: 0] += 1
        }
        for id in order {
            let count = counts[id] ?? 0
            if count > best?.count ?? 0 { best = (id, count) }
        }
        return try best.flatMap { best throws(HistoryError) in try run(best.id) }
    }

    /// The newest run of this name; nil if there is none.
    package func run(named name: String) throws(HistoryError) -> PastRun? {
        let found = try database.run("SELECT id FROM runs WHERE name = ? ORDER BY began DESC LIMIT 1", [.text(name)])
        return try found.first?.first?.integer.flatMap { id throws(HistoryError) in try run(id) }
    }

    private func run(_ id: Int64) throws(HistoryError) -> PastRun? {
        let rows = try database.run(
            "SELECT name, began, machine, rig, accessory, kernel FROM runs WHERE id = ?", [.integer(id)])
        guard let row = rows.first else { return nil }
        var results: [PastRun.Result] = []
        try database.run(
            "SELECT scenario, verdict, actual, cause, audit FROM results WHERE run = ? ORDER BY id", [.integer(id)]
        ) { row in
            guard let scenario = row[0].text, let verdict = row[1].text.flatMap(Verdict.init(rawValue:)) else { return }
            results.append(
                PastRun.Result(
                    scenario: scenario, verdict: verdict, actual: row[2].text.flatMap(Verdict.init(rawValue:)),
                    cause: row[3].text, audit: row[4].text.flatMap(AuditOutcome.init(rawValue:))))
        }
        return PastRun(
            name: row[0].text ?? "", began: UInt64(clamping: row[1].integer ?? 0),
            bench: RunMachine(
                machine: row[2].text ?? "", rig: row[3].text ?? "", accessory: row[4].text, kernel: row[5].text),
            results: results)
    }

    /// The newest results of a case that passed at once.
    ///
    /// - Parameters:
    ///   - scenario: The identifier of the case, without a round.
    ///   - time: Earlier than this, in nanoseconds since 1970.
    ///   - limit: The most results.
    package func passes(
        of scenario: String, before time: UInt64, limit: Int
    ) throws(HistoryError) -> [(run: String, round: Int, began: UInt64)] {
        var passes: [(String, Int, UInt64)] = []
        try database.run(
            """
            SELECT runs.name, round, runs.began FROM results JOIN runs ON runs.id = results.run
            WHERE scenario = ? AND verdict = 'passed' AND results.began < ?
            ORDER BY results.began DESC, results.id DESC LIMIT ?
            """, [.text(scenario), .integer(Int64(clamping: time)), .init(limit)]
        ) { row in
            guard let name = row[0].text else { return }
            passes.append((name, Int(row[1].integer ?? 1), UInt64(clamping: row[2].integer ?? 0)))
        }
        return passes
    }
}
