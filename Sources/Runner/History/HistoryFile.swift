import Glibc
import HILPOSIX

/// The file with the history of all runs, `results/history.sqlite`. It stays when the runs' folders are removed.
///
/// Any number of processes may use it at once: each change is one transaction, and waits up to 30 s for the one before.
/// It keeps SQLite's plain journal rather than its write-ahead log, so that it has no second file between writes,
/// and can be read on a read-only disk.
package struct HistoryFile: Sendable {
    /// Its name in the folder of the runs' folders.
    package static let name = "history.sqlite"

    package let path: String

    /// - Parameter path: The file; it is made with the first run that is added.
    package init(_ path: String) { self.path = path }

    /// The outcome of some work with the history.
    package struct Outcome<Value> {
        package let value: Value
        /// The file to which a damaged history was moved, so that the work was done with a new one; nil if it was
        /// intact.
        package let setAside: String?
    }

    /// Does some work with the history. If the file is damaged, it gets another name, and the work is done with a new one.
    package func use<Value>(
        _ work: (HistoryStore) throws(HistoryError) -> Value
    ) throws(HistoryError) -> Outcome<Value> {
        do throws(HistoryError) { return Outcome(value: try open(work), setAside: nil) } catch {
            guard error.kind == .damaged else { throw error }
            let aside = try setAside(because: error)
            return Outcome(value: try open(work), setAside: aside)
        }
    }

    private func open<Value>(_ work: (HistoryStore) throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        let database = try Database(path)
        try HistorySchema.prepare(database)
        return try work(HistoryStore(database))
    }

    /// Moves the damaged file away. Returns its new name; nil if another process has done it meanwhile.
    private func setAside(because damage: HistoryError) throws(HistoryError) -> String? {
        func refused(_ error: SystemError) -> HistoryError {
            HistoryError(.damaged, path, "\(damage.reason); \(error)")
        }
        do throws(SystemError) {
            // Without this lock, the second of two processes that find the damage would move away the new file.
            let lock = try Descriptor.open("\(path).lock", O_RDWR | O_CREAT, mode: 0o644)
            defer { lock.close() }
            try valueOrErrno("flock", "locking \(path).lock") { flock(lock.raw, LOCK_EX) }
            defer { unlink("\(path).lock") }
            guard isDamaged else { return nil }
            let stamp = calendarText(Int(wallClockNanoseconds() / 1_000_000_000), "%Y%m%d-%H%M%S")
            let aside = "\(path).damaged-\(stamp)-\(getpid())"
            try valueOrErrno("rename", "moving \(path)") { rename(path, aside) }
            // A journal of the old file must not be replayed into the new one.
            rename("\(path)-journal", "\(aside)-journal")
            return aside
        } catch { throw refused(error) }
    }

    /// Whether the current file is damaged.
    private var isDamaged: Bool {
        do throws(HistoryError) {
            let database = try Database(path)
            return try database.run("PRAGMA quick_check(1)").first?.first?.text != "ok"
        } catch { return error.kind == .damaged }
    }
}
