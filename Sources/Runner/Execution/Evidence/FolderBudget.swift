import Foundation
import HILRecord
import Synchronization

/// Keeps the folder of a run within its limit while it runs: beyond it, the files of a good scenario are not kept, nor
/// are the saved boards of others.
final class FolderBudget: Sendable {
    /// In bytes; nil is no limit.
    private let limit: UInt64?
    private let used = Mutex<UInt64>(0)

    init(_ limit: UInt64?) { self.limit = limit }

    /// Counts what a scenario has left in its folder, and removes what does not fit.
    ///
    /// - Returns: The attempts with what was removed from them.
    func take(_ attempts: [AttemptResult], in folder: String, isGood: Bool) -> [AttemptResult] {
        guard let limit else { return attempts }
        let size = Retention.size(of: folder)
        let isFull = used.withLock { used in
            used += size
            return used > limit
        }
        guard isFull else { return attempts }
        let why = "the run's folder has reached \(limit >> 20) MiB (--keep sets another limit)"
        defer {
            let freed = size - min(size, Retention.size(of: folder))
            used.withLock { $0 -= freed }
        }
        if isGood {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
        return attempts.map { attempt in
            var attempt = attempt
            if isGood {
                attempt.evidence = []
                attempt.missing.append("all of it: \(why)")
            } else if let boards = attempt.boards {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(boards)")
                attempt.missing.append("both boards as they were: \(why)")
            }
            attempt.boards = nil
            return attempt
        }
    }
}
