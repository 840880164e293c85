import Foundation
import POSIX
import Synchronization

/// Who uses what in a cache that several checkouts share, and what may go.
///
/// A process that uses a thing holds a lock on it until it ends. A checkout writes down what it used last, in a file of its
/// own: what it will want again when it runs next, however busy others are meanwhile.
extension Cache {
    /// What is kept of the things that nobody uses at the moment.
    struct Limits: Sendable {
        /// Of all prunable kinds together. What checkouts used last is kept beyond it.
        var bytes: UInt64 = 4_000_000_000
        /// After so long without use a thing goes in any case.
        var unused: TimeInterval = 14 * 86_400
        /// So long a checkout's last things are kept for it.
        var lastOfCheckout: TimeInterval = 7 * 86_400
    }

    /// The kinds of things that change with what a checkout is edited to, or grow old.
    static let prunable = ["snapshot", "agent", "image"]

    /// Keeps everybody from removing a thing until this process ends, and notes that it was used.
    ///
    /// - Returns: False when it is not there any more.
    @discardableResult
    func hold(_ name: String) -> Bool {
        let path = path(name)
        return Cache.held.withLock { held in
            var now = stat()
            guard stat(path, &now) == 0 else { return false }
            if held[path]?.inode != now.st_ino {
                guard let lock = try? Descriptor.open(path, O_RDONLY | O_CLOEXEC) else { return false }
                flock(lock.raw, LOCK_SH)
                // It may have been removed while this waited for the lock, or made anew.
                var locked = stat()
                guard fstat(lock.raw, &locked) == 0, stat(path, &now) == 0, now.st_ino == locked.st_ino else {
                    return false
                }
                held[path] = Held(inode: now.st_ino, lock: lock)
            }
            utimes(path, nil)
            return true
        }
    }

    private struct Held {
        let inode: ino_t
        let lock: Descriptor
    }

    /// By path; one lock of a thing for the whole process.
    private static let held = Mutex<[String: Held]>([:])

    /// Writes down what a checkout uses now, in place of what it used before.
    ///
    /// - Parameter checkout: A path in it; another folder that came to stand at the same path is another checkout.
    func record(_ names: [String], usedBy checkout: String) throws {
        var status = stat()
        stat(checkout, &status)
        let key = Fingerprint.of(checkout, "\(status.st_dev)", "\(status.st_ino)")
        try (names.joined(separator: "\n") + "\n").write(
            toFile: path("uses-\(key)"), atomically: true, encoding: .utf8)
    }

    /// Removes what was not used for long, and of the rest, the longest unused first, what exceeds the limit; never what a
    /// process uses, nor what a checkout used last.
    func prune(_ limits: Limits = Limits(), now: Date = Date()) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        func age(_ name: String) -> TimeInterval {
            let date = try? FileManager.default.attributesOfItem(atPath: path(name))[.modificationDate] as? Date
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
        let things = names.filter { name in
            Cache.prunable.contains { name.hasPrefix("\($0)-") }
                && ![".partial", ".log"].contains { name.hasSuffix($0) }
        }
        var total: UInt64 = 0
        for (name, age) in things.map({ ($0, age($0)) }).sorted(by: { $0.1 < $1.1 }) {
            let size = size(of: name)
            let isTooMuch = total + size > limits.bytes || age > limits.unused
            if isTooMuch, !wanted.contains(name), remove(name) { continue }
            total += size
        }
    }

    /// Removes a thing that nobody uses.
    private func remove(_ name: String) -> Bool {
        guard let lock = try? Descriptor.open(path(name), O_RDONLY | O_CLOEXEC),
            flock(lock.raw, LOCK_EX | LOCK_NB) == 0
        else { return false }
        return (try? FileManager.default.removeItem(atPath: path(name))) != nil
    }

    /// What a thing takes of the disk, bytes.
    private func size(of name: String) -> UInt64 {
        let parts = (try? FileManager.default.subpathsOfDirectory(atPath: path(name))) ?? []
        return ([path(name)] + parts.map { "\(path(name))/\($0)" }).reduce(0) { sum, path in
            var status = stat()
            return lstat(path, &status) == 0 ? sum + UInt64(status.st_blocks) * 512 : sum
        }
    }
}
