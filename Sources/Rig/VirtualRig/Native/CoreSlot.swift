import Foundation
import HILPOSIX
import RigModel

/// The core of a native board. Cores are divided evenly among all boards of this user.
///
/// A slot is a locked file, so it is free again when the process that holds it ends.
struct CoreSlot: Sendable {
    /// The number of the core.
    let core: Int
    private let lock: FileLock

    /// Takes the first free slot: each core once, then each core a second time, and so on.
    ///
    /// - Parameter base: The folder for the files, which exists.
    /// - Returns: Nil if this machine has only one core, or no slot is free.
    static func take(in base: String, of cores: [Int] = CoreSlot.allowed()) -> CoreSlot? {
        guard cores.count > 1 else { return nil }
        for turn in 0..<64 {
            for core in cores {
                if let lock = try? FileLock.tryTake("\(base)/core-\(core)-\(turn)") {
                    return CoreSlot(core: core, lock: lock)
                }
            }
        }
        return nil
    }

    /// The cores that this process may use.
    static func allowed() -> [Int] {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") } ?? ""
        return cores(in: line.drop { !$0.isWhitespace }.trimmingCharacters(in: .whitespaces))
    }

    /// The numbers in a list such as `0-3,8` (cpuset(7)).
    static func cores(in list: String) -> [Int] {
        list.split(separator: ",").flatMap { part -> [Int] in
            let ends = part.split(separator: "-").map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last, last < 8192 else {
                return []
            }
            return Array(first...last)
        }
    }
}
