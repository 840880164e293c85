import HILCSQLite

/// The tables of the history, and how older ones become the current ones.
enum HistorySchema {
    /// The version of the tables, in SQLite's `user_version`.
    static let version = 3
    /// Marks a file as ours, in SQLite's `application_id`: `HILH` in ASCII.
    static let mark: Int64 = 0x4849_4C48

    /// The statements that lead from each version to the next; the first ones make the tables.
    ///
    /// Times are in nanoseconds since 1970, durations in seconds. `scenario` is the identifier of a case without its
    /// round. `verdict` and `actual` are those of a judgement, `audit` is what came of an audit's check.
    private static let steps: [[String]] = [
        [
            """
            CREATE TABLE runs (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, machine TEXT NOT NULL, began INTEGER NOT NULL, seconds REAL,
                rig TEXT NOT NULL, accessory TEXT, kernel TEXT, version TEXT NOT NULL, jobs INTEGER NOT NULL, signal INTEGER,
                UNIQUE (name, machine, began))
            """,
            """
            CREATE TABLE results (
                id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, scenario TEXT NOT NULL,
                round INTEGER NOT NULL, title TEXT NOT NULL, verdict TEXT NOT NULL, actual TEXT, began INTEGER NOT NULL,
                seconds REAL NOT NULL, body REAL, attempts INTEGER NOT NULL, accessory TEXT, cause TEXT)
            """,
            "CREATE INDEX resultsOfRun ON results (run)",
            "CREATE INDEX resultsOfScenario ON results (scenario, began)",
            """
            CREATE TABLE steps (
                result INTEGER NOT NULL REFERENCES results ON DELETE CASCADE, attempt INTEGER NOT NULL,
                number INTEGER NOT NULL, name TEXT NOT NULL, budget REAL NOT NULL, seconds REAL, outcome TEXT,
                PRIMARY KEY (result, attempt, number)) WITHOUT ROWID
            """,
            """
            CREATE TABLE versions (
                run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, board TEXT NOT NULL, name TEXT NOT NULL,
                version TEXT NOT NULL, PRIMARY KEY (run, board, name)) WITHOUT ROWID
            """,
        ],
        [
            "ALTER TABLE runs ADD COLUMN firmware TEXT",
            "ALTER TABLE results ADD COLUMN firmware TEXT",
        ],
        ["ALTER TABLE results ADD COLUMN audit TEXT"],
    ]

    /// Makes the tables, or changes those of an earlier version.
    ///
    /// - Throws: ``HistoryError`` of kind `later` or `foreign`, if the file must be left alone.
    static func prepare(_ database: Database) throws(HistoryError) {
        // Deletes what belongs to a run together with it.
        try database.run("PRAGMA foreign_keys = ON")
        if try state(of: database) == version { return }
        try database.transaction { () throws(HistoryError) in
            // Another connection may have done it meanwhile.
            for step in steps[try state(of: database)...] { for sql in step { try database.run(sql) } }
            try database.run("PRAGMA application_id = \(mark)")
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    /// The version of the file's tables; 0 for a new file.
    ///
    /// One statement reads all of it, so that another process, which makes the tables meanwhile, is seen before or after.
    private static func state(of database: Database) throws(HistoryError) -> Int {
        let row = try database.run(
            """
            SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)
            FROM pragma_application_id, pragma_user_version
            """
        ).first?.map { $0.integer ?? 0 }
        guard let row, row.count == 3, row[0] == mark || row[2] == 0 else {
            throw HistoryError(.foreign, database.path)
        }
        guard row[0] == mark else { return 0 }
        if row[1] > version { throw HistoryError(.later(Int(row[1])), database.path) }
        return Int(row[1])
    }
}
