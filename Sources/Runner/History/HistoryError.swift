import HILCSQLite

/// The history could not be read or written.
package struct HistoryError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong with the file.
    package enum Kind: Sendable, Equatable {
        /// It is not a database, or a part of it is broken. A new file may take its place.
        case damaged
        /// A later version of hil wrote it, with this version of the tables.
        case later(Int)
        /// It is the database of another program.
        case foreign
        /// SQLite's extended result code: a full disk, a file that may not be written, another program that holds it.
        case refused(Int32)
    }

    package let kind: Kind
    /// The file.
    package let path: String
    /// What SQLite says; empty if the kind says it all.
    package let reason: String

    init(_ kind: Kind, _ path: String, _ reason: String = "") {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// - Parameter code: SQLite's extended result code (https://sqlite.org/rescode.html), whose low byte is the primary one.
    init(code: Int32, _ path: String, _ reason: String) {
        let isDamage = [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF)
        self.init(isDamage ? .damaged : .refused(code), path, reason)
    }

    package var description: String {
        switch kind {
        case .damaged: "\(path) is damaged: \(reason)"
        case .later(let version):
            "\(path) has tables of version \(version), and this version of hil knows up to \(HistorySchema.version): "
                + "use the version that wrote it, or move the file away"
        case .foreign: "\(path) is the database of another program: name another folder with --out"
        case .refused: "\(path): \(reason)"
        }
    }
}
