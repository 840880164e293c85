import HILPOSIX
import HILRecord

/// The history while its file is open: what `hil` keeps of each run, and asks about it.
package struct HistoryStore {
    /// The most characters of a cause that are kept.
    private static let longestCause = 2000

    let database: Database

    init(_ database: Database) { self.database = database }

    /// Adds a run, whole or not at all. A run that is known already is replaced, so that it counts once.
    ///
    /// - Returns: Whether it was new.
    @discardableResult
    package func add(_ record: RunRecord) throws(HistoryError) -> Bool {
        guard let info = record.info else { return false }
        let name = String(info.folder.split(separator: "/").last ?? "")
        let key: [Database.Value] = [.text(name), .text(info.machine), .integer(Int64(clamping: record.began))]
        return try database.transaction { () throws(HistoryError) in
            let known = try database.run("SELECT id FROM runs WHERE name = ? AND machine = ? AND began = ?", key)
            for row in known { try database.run("DELETE FROM runs WHERE id = ?", row) }
            try database.run(
                """
                INSERT INTO runs (name, machine, began, seconds, rig, accessory, kernel, version, jobs, signal, firmware)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                key + [
                    .init(record.end?.seconds), .text(info.rig), .init(info.accessory),
                    .init(record.bench.kernel), .text(info.version),
                    .init(info.options.jobs), .init(record.end?.signal.map(Int.init)),
                    .init(record.firmware),
                ])
            let run = database.lastRow
            for entry in record.entries { try add(entry, of: record, to: run) }
            for (board, names) in record.versions {
                for (name, version) in names {
                    try database.run(
                        "INSERT INTO versions VALUES (?, ?, ?, ?)",
                        [.integer(run), .text(board), .text(name), .text(version)])
                }
            }
            return known.isEmpty
        }
    }

    /// Adds a scenario that has a result.
    private func add(_ entry: RunRecord.Entry, of record: RunRecord, to run: Int64) throws(HistoryError) {
        guard let result = entry.result else { return }
        let (scenario, round) = entry.info.caseAndRound
        let suffix = " (round \(round))"
        let title =
            entry.info.title.hasSuffix(suffix) ? String(entry.info.title.dropLast(suffix.count)) : entry.info.title
        let cause = result.judgement.cause.map { PlainText.cut($0.message, to: HistoryStore.longestCause) }
        try database.run(
            """
            INSERT INTO results
                (run, scenario, round, title, verdict, actual, began, seconds, body, attempts, accessory, cause, firmware,
                audit)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .integer(run), .text(scenario), .init(round), .text(title),
                .text(result.judgement.verdict.rawValue), .init(result.judgement.actual?.rawValue),
                .integer(Int64(clamping: entry.began ?? entry.ended ?? 0)), .real(result.seconds),
                .init(result.bodySeconds), .init(entry.attempts.count), .init(entry.info.accessory),
                .init(cause ?? result.judgement.reason), .init(result.firmware),
                .init(AuditReport.Check(entry, of: record)?.outcome.rawValue),
            ])
        let row = database.lastRow
        for attempt in entry.attempts {
            for step in attempt.steps {
                try database.run(
                    "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        .integer(row), .init(attempt.number), .init(step.number), .text(step.name), .real(step.budget),
                        .init(step.seconds), .init(step.outcome?.rawValue),
                    ])
            }
        }
    }
}

/// What the history knows.
extension HistoryStore {
    /// The identifiers of all scenarios, in order of their names.
    package func scenarios() throws(HistoryError) -> [String] {
        try database.run("SELECT DISTINCT scenario FROM results ORDER BY scenario").compactMap { $0.first?.text }
    }

    /// The newest results of scenarios.
    ///
    /// - Parameters:
    ///   - scenarios: Identifiers of cases without their rounds; nil for all.
    ///   - limit: The most results of each scenario.
    /// - Returns: By scenario, in order of their names; results from the newest to the oldest.
    package func past(of scenarios: [String]? = nil, limit: Int) throws(HistoryError) -> [ScenarioPast] {
        let chosen = scenarios.map { "WHERE scenario IN (\($0.map { _ in "?" }.joined(separator: ", ")))" } ?? ""
        var pasts: [ScenarioPast] = []
        try database.run(
            """
            SELECT scenario, title, runs.name, machine, rig, ranked.accessory, version, ranked.began, round, verdict,
                actual, ranked.seconds, body, attempts, cause, ranked.firmware, audit
            FROM (
                SELECT *, row_number() OVER (PARTITION BY scenario ORDER BY began DESC, id DESC) AS place
                FROM results \(chosen)) AS ranked
            JOIN runs ON runs.id = ranked.run
            WHERE place <= ? ORDER BY scenario, place
            """, (scenarios ?? []).map { .text($0) } + [.init(limit)]
        ) { row in
            guard let scenario = row[0].text, let result = PastResult(row) else { return }
            if pasts.last?.scenario != scenario {
                pasts.append(ScenarioPast(scenario: scenario, title: row[1].text ?? ""))
            }
            pasts[pasts.count - 1].results.append(result)
        }
        return pasts
    }

    /// The durations of a scenario's steps that ended well, in its newest results.
    ///
    /// - Returns: In the order in which the steps came in the newest result; durations from the newest to the oldest.
    package func steps(of scenario: String, limit: Int) throws(HistoryError) -> [PastStep] {
        var steps: [PastStep] = []
        try database.run(
            """
            SELECT name, steps.seconds, budget FROM (
                SELECT id, began FROM results WHERE scenario = ? ORDER BY began DESC, id DESC LIMIT ?) AS newest
            JOIN steps ON steps.result = newest.id
            WHERE outcome = 'done' ORDER BY began DESC, newest.id DESC, attempt, number
            """, [.text(scenario), .init(limit)]
        ) { row in
            guard let name = row[0].text, let seconds = row[1].real else { return }
            if let place = steps.firstIndex(where: { $0.name == name }) {
                steps[place].seconds.append(seconds)
            } else {
                steps.append(PastStep(name: name, budget: row[2].real ?? 0, seconds: [seconds]))
            }
        }
        return steps
    }
}

/// The durations of a step in runs on one bench, for changes over time.
package struct StepSeries: Sendable, Hashable {
    package var step: String
    /// Seconds, from the oldest to the newest.
    package var seconds: [Double]
    /// The name of the run of each.
    package var runs: [String]
}

extension HistoryStore {
    /// The durations of a scenario's steps that ended well, on the bench of its newest result.
    ///
    /// - Parameter limit: The most results.
    package func series(of scenario: String, limit: Int) throws(HistoryError) -> [StepSeries] {
        var series: [StepSeries] = []
        try database.run(
            """
            SELECT steps.name, steps.seconds, chosen.name FROM (
                SELECT results.id AS result, results.began, runs.name FROM results JOIN runs ON runs.id = results.run
                WHERE scenario = ?1 AND (machine, rig, coalesce(runs.accessory, ''), coalesce(kernel, '')) = (
                    SELECT machine, rig, coalesce(runs.accessory, ''), coalesce(kernel, '')
                    FROM results JOIN runs ON runs.id = results.run WHERE scenario = ?1
                    ORDER BY results.began DESC, results.id DESC LIMIT 1)
                ORDER BY results.began DESC, results.id DESC LIMIT ?2) AS chosen
            JOIN steps ON steps.result = chosen.result
            WHERE outcome = 'done' ORDER BY chosen.began, chosen.result, attempt, number
            """, [.text(scenario), .init(limit)]
        ) { row in
            guard let step = row[0].text, let seconds = row[1].real else { return }
            let place = series.firstIndex { $0.step == step } ?? series.count
            if place == series.count { series.append(StepSeries(step: step, seconds: [], runs: [])) }
            series[place].seconds.append(seconds)
            series[place].runs.append(row[2].text ?? "")
        }
        return series
    }
}

/// The durations of one step of a case in some runs.
package struct StepSamples: Sendable, Hashable {
    /// The identifier of the case, without a round.
    package var scenario: String
    package var step: String
    /// Seconds, from the newest to the oldest.
    package var seconds: [Double]
}

extension HistoryStore {
    /// The durations of all steps that ended well, in the newest runs of a time on one bench.
    ///
    /// - Parameters:
    ///   - bench: The machine and the rig.
    ///   - time: When the runs began, in nanoseconds since 1970.
    ///   - others: The times of runs that are left out.
    ///   - limit: The most runs.
    package func samples(
        on bench: RunMachine, began time: ClosedRange<UInt64>, except others: [UInt64], limit: Int
    ) throws(HistoryError) -> [StepSamples] {
        let values: [Database.Value] = [
            .text(bench.machine), .text(bench.rig), .init(bench.accessory), .init(bench.kernel),
            .integer(Int64(clamping: time.lowerBound)), .integer(Int64(clamping: time.upperBound)),
        ]
        var samples: [StepSamples] = []
        try database.run(
            """
            SELECT scenario, steps.name, steps.seconds
            FROM (
                SELECT id, began FROM runs
                WHERE machine = ? AND rig = ? AND accessory IS ? AND kernel IS ? AND began BETWEEN ? AND ?
                    AND began NOT IN (\(others.map { _ in "?" }.joined(separator: ", ")))
                ORDER BY began DESC LIMIT ?) AS chosen
            JOIN results ON results.run = chosen.id JOIN steps ON steps.result = results.id
            WHERE outcome = 'done' ORDER BY scenario, steps.name, chosen.began DESC
            """, values + others.map { .integer(Int64(clamping: $0)) } + [.init(limit)]
        ) { row in
            guard let scenario = row[0].text, let step = row[1].text, let seconds = row[2].real else { return }
            if samples.last?.scenario != scenario || samples.last?.step != step {
                samples.append(StepSamples(scenario: scenario, step: step, seconds: []))
            }
            samples[samples.count - 1].seconds.append(seconds)
        }
        return samples
    }
}

extension PastResult {
    /// - Parameter row: The columns of ``HistoryStore/past(of:limit:)``. A verdict of a later version is unknown: nil.
    fileprivate init?(_ row: [Database.Value]) {
        guard let verdict = row[9].text.flatMap(Verdict.init(rawValue:)) else { return nil }
        run = row[2].text ?? ""
        machine = row[3].text ?? ""
        rig = row[4].text ?? ""
        accessory = row[5].text
        version = row[6].text ?? ""
        began = row[7].integer ?? 0
        round = Int(row[8].integer ?? 1)
        self.verdict = verdict
        actual = row[10].text.flatMap(Verdict.init(rawValue:))
        seconds = row[11].real ?? 0
        bodySeconds = row[12].real
        attempts = Int(row[13].integer ?? 1)
        cause = row[14].text
        firmware = row[15].text
        audit = row[16].text.flatMap(AuditOutcome.init(rawValue:))
    }
}
