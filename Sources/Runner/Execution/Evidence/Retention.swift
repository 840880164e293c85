import Foundation
import HILPOSIX
import HILRecord

/// How many runs are kept, and how much disk space they may use.
package struct Retention: Sendable, Hashable {
    /// The most runs, including the current one; nil is no limit.
    package var runs: Int?
    /// The most disk space in bytes; nil is no limit.
    package var bytes: UInt64?

    /// 20 runs, or 2 GiB.
    package static let standard = Retention(runs: 20, bytes: 2 << 30)

    package init(runs: Int?, bytes: UInt64?) {
        self.runs = runs
        self.bytes = bytes
    }

    /// Reads `20`, `500MiB`, `2GiB`, `20,2GiB` or `all`; nil for anything else.
    package init?(_ text: String) {
        self.init(runs: nil, bytes: nil)
        if text == "all" { return }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let match = part.wholeMatch(of: /([1-9]\d{0,8})(MiB|GiB)?/), let number = UInt64(match.1) else {
                return nil
            }
            switch match.2 {
            case "MiB": bytes = number << 20
            case "GiB": bytes = number << 30
            default: runs = Int(number)
            }
        }
    }

    /// Removes the oldest runs until the limits are kept.
    ///
    /// It never removes the newest run, the newest run with a failure, or a run that is still in progress, even if
    /// they exceed the limits. It removes nothing but runs.
    ///
    /// - Parameter parent: The folder of the runs' folders.
    /// - Returns: The names of the removed folders.
    @discardableResult
    package func apply(to parent: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let all = names.filter { $0.wholeMatch(of: /\d{8}-\d{6}-[0-9a-z]{4}/) != nil }.sorted(by: >)
        let failed = all.first { Retention.wentWrong("\(parent)/\($0)") }
        var (count, size, removed) = (0, UInt64(0), [String]())
        for (age, name) in all.enumerated() {
            let path = "\(parent)/\(name)"
            let own = bytes == nil ? 0 : Retention.size(of: path)
            let isSpared = age == 0 || name == failed
            if !isSpared, count + 1 > runs ?? .max || size + own > bytes ?? .max, Retention.remove(path) {
                removed.append(name)
            } else {
                count += 1
                size += own
            }
        }
        return removed
    }

    /// Removes a run, unless it is still in progress.
    private static func remove(_ path: String) -> Bool {
        guard let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY) else { return false }
        guard flock(folder.raw, LOCK_EX | LOCK_NB) == 0 else { return false }
        return (try? FileManager.default.removeItem(atPath: path)) != nil
    }

    /// Whether a scenario of the run failed, met an error of the rig, or passed only on a retry.
    private static func wentWrong(_ path: String) -> Bool {
        struct Content: Decodable {
            struct Result: Decodable { let judgement: Judgement }
            let result: Result
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains { name in
            guard let bytes = FileManager.default.contents(atPath: "\(path)/\(name)/verdict.json"),
                let content = try? JSONDecoder().decode(Content.self, from: bytes)
            else { return false }
            return [.failed, .error, .flaky].contains(content.result.judgement.verdict)
        }
    }

    /// The disk space of a folder in bytes. A file with several hard links counts once.
    static func size(of path: String) -> UInt64 {
        var (size, known) = (UInt64(0), Set<UInt64>())
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { continue }
            if status.st_nlink < 2 || known.insert(UInt64(status.st_ino)).inserted {
                size += UInt64(status.st_blocks) * 512
            }
        }
        return size
    }
}
