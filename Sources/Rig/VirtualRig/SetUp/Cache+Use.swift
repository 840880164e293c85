import Foundation
import HILPOSIX
import Synchronization

/// Tracks which checkout uses which entry of a shared cache, and removes entries that are no longer needed.
///
/// A process that uses an entry holds a lock on it until the process ends. Each checkout writes the entries that it
/// used last to its own file. They are kept for its next run, even if others use the cache a lot.
extension Cache {
    /// How much is kept of the currently unused entries.
    struct Limits: Sendable {
        /// Size of all prunable entries together. The last entries of checkouts are kept even above it.
        var bytes: UInt64 = 4_000_000_000
        /// An entry that was not used for this long is removed in any case. Seconds.
        var unused: TimeInterval = 14 * 86_400
        /// How long the last entries of a checkout are kept for it. Seconds.
        var lastOfCheckout: TimeInterval = 7 * 86_400
    }

    /// The kinds of entries that may be removed: they change with a checkout's files, or become outdated.
    static let prunable = ["snapshot", "agent", "image", "native", "digest", "payload", "program", "started"]

    /// Protects an entry from removal until this process ends, and notes that it was used.
    ///
    /// - Returns: False if the entry no longer exists.
    @discardableResult
    func hold(_ name: String) -> Bool {
        let path = path(name)
        return Cache.held.withLock { held in
            var now = stat()
            guard stat(path, &now) == 0 else { return false }
            if held[path]?.inode != now.st_ino {
                guard let lock = try? Descriptor.open(path, O_RDONLY | O_CLOEXEC) else { return false }
                flock(lock.raw, LOCK_SH)
                // While this waited for the lock, the entry may have been removed or made again.
                var locked = stat()
                guard fstat(lock.raw, &locked) == 0, stat(path, &now) == 0, now.st_ino == locked.st_ino else {
                    return false
                }
                held[path] = Held(inode: now.st_ino, lock: lock)
            }
            utimes(useMark(of: name), nil)
            return true
        }
    }

    private struct Held {
        let inode: ino_t
        let lock: Descriptor
    }

    /// The locks of this process, by path; one per entry.
    private static let held = Mutex<[String: Held]>([:])

    /// Records the entries that a checkout uses now. It replaces the checkout's earlier record.
    ///
    /// - Parameter checkout: A path in the checkout. If another folder takes its place, it counts as another checkout.
    func record(_ names: [String], usedBy checkout: String) throws {
        var status = stat()
        stat(checkout, &status)
        let key = Fingerprint.of(checkout, "\(status.st_dev)", "\(status.st_ino)")
        try (names.joined(separator: "\n") + "\n").write(
            toFile: path("uses-\(key)"), atomically: true, encoding: .utf8)
    }

    /// Removes entries that were not used for a long time, then the least recently used ones until the size is below
    /// the limit.
    ///
    /// An entry stays if a process uses it, or a checkout used it last.
    func prune(_ limits: Limits = Limits(), now: Date = Date()) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        func age(_ name: String) -> TimeInterval {
            let date =
                try? FileManager.default.attributesOfItem(atPath: useMark(of: name))[
                    .modificationDate] as? Date
            return now.timeIntervalSince(date ?? .distantPast)
        }
        var wanted: Set<String> = []
        for name in names where name.hasPrefix("uses-") {
            let text = try? String(contentsOfFile: path(name), encoding: .utf8)
            if age(name) < limits.lastOfCheckout {
                wanted.formUnion((text ?? "").split(separator: "\n").map(String.init))
            } else {
                unlink(path(name))
            }
        }
        let entries = names.filter { name in
            Cache.prunable.contains { name.hasPrefix("\($0)-") }
                && ![".partial", ".log"].contains { name.hasSuffix($0) }
        }
        var total: UInt64 = 0
        for (name, age) in entries.map({ ($0, age($0)) }).sorted(by: { $0.1 < $1.1 }) {
            let size = size(of: name)
            let isTooMuch = total + size > limits.bytes || age > limits.unused
            if isTooMuch, !wanted.contains(name), remove(name) { continue }
            total += size
        }
    }

    /// Removes an entry, unless a process uses it.
    private func remove(_ name: String) -> Bool {
        guard let lock = try? Descriptor.open(path(name), O_RDONLY | O_CLOEXEC),
            flock(lock.raw, LOCK_EX | LOCK_NB) == 0
        else { return false }
        removeSeal(of: name)
        return (try? FileManager.default.removeItem(atPath: path(name))) != nil
    }

    /// The disk space of an entry, in bytes.
    private func size(of name: String) -> UInt64 {
        let parts = (try? FileManager.default.subpathsOfDirectory(atPath: path(name))) ?? []
        return ([path(name)] + parts.map { "\(path(name))/\($0)" }).reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + UInt64(status.st_blocks) * 512 : sum
        }
    }
}
