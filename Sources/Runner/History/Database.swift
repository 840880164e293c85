import HILCSQLite

/// One connection to a database of SQLite, closed when it is released.
final class Database {
    /// A value in a row or a statement.
    enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)

        init(_ text: String?) { self = text.map { .text($0) } ?? .null }
        init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
        init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }

        var text: String? { if case .text(let text) = self { text } else { nil } }
        var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
        var real: Double? {
            switch self {
            case .real(let number): number
            case .integer(let number): Double(number)
            default: nil
            }
        }
    }

    /// How long to wait for another connection, in milliseconds. A run is written in some ten milliseconds.
    private static let patience: Int32 = 30_000

    let path: String
    private let connection: OpaquePointer

    /// Opens the file, and makes it if it does not exist.
    init(_ path: String) throws(HistoryError) {
        self.path = path
        var connection: OpaquePointer?
        // One thread at a time uses a connection, so it needs no locks.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &connection, flags, nil)
        guard let connection, code == SQLITE_OK else {
            let reason = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "memory is short"
            sqlite3_close_v2(connection)
            throw HistoryError(code: code, path, reason)
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, Database.patience)
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs one statement, and returns its rows.
    ///
    /// - Parameter values: The values of its question marks, in order.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws(HistoryError) -> [[Value]] {
        var rows: [[Value]] = []
        try run(sql, values) { rows.append($0) }
        return rows
    }

    /// Runs one statement, and passes on each row.
    func run(_ sql: String, _ values: [Value], _ take: ([Value]) -> Void) throws(HistoryError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        for (place, value) in values.enumerated() { try check(bind(value, to: Int32(place + 1), of: statement)) }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { return try check(code) }
            take((0..<sqlite3_column_count(statement)).map { Database.value(in: $0, of: statement) })
        }
    }

    /// Runs statements in one transaction, which other connections see whole or not at all.
    ///
    /// It takes the lock for writing at once, because two transactions that read first and then both want to write
    /// would wait for each other.
    func transaction<Result>(_ work: () throws(HistoryError) -> Result) throws(HistoryError) -> Result {
        try run("BEGIN IMMEDIATE")
        do throws(HistoryError) {
            let result = try work()
            try run("COMMIT")
            return result
        } catch {
            // SQLite itself may have ended the transaction.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// The number of the row that was inserted last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(connection) }

    private func check(_ code: Int32) throws(HistoryError) {
        if code == SQLITE_OK { return }
        throw HistoryError(code: code, path, String(cString: sqlite3_errmsg(connection)))
    }

    private func bind(_ value: Value, to place: Int32, of statement: OpaquePointer?) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, place)
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .real(let number): return sqlite3_bind_double(statement, place, number)
        case .text(var text):
            // SQLITE_TRANSIENT: SQLite copies the bytes at once.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(
                        statement, place, $0.baseAddress ?? UnsafePointer(bitPattern: 1), Int32($0.count), copied)
                }
            }
        }
    }

    private static func value(in column: Int32, of statement: OpaquePointer?) -> Value {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_NULL: return .null
        default:
            // The text first: asking for its length may change its encoding.
            guard let text = sqlite3_column_text(statement, column) else { return .null }
            let count = Int(sqlite3_column_bytes(statement, column))
            return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
        }
    }
}
