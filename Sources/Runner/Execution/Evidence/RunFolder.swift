import Foundation
import HILPOSIX

/// The folder of one run: `results/20260114-093015-k3v9`. The link `results/latest` leads to the newest.
package struct RunFolder: Sendable {
    /// The absolute path.
    package let path: String
    /// Locked during the run, so that no other run removes the folder as an old one.
    private let lock: Descriptor

    /// Makes a new folder. Two runs that start at once get different ones.
    ///
    /// - Parameter parent: The folder `results`, which is made if it does not exist.
    package static func create(in parent: String, now: Date = Date()) throws(SystemError) -> RunFolder {
        let parent = URL(fileURLWithPath: parent).standardizedFileURL.path
        try makeFolder(parent)
        while true {
            let path = "\(parent)/\(stamp(now))-\(suffix())"
            do throws(SystemError) {
                try valueOrErrno("mkdir", "making the folder \(path)") { mkdir(path, 0o755) }
            } catch {
                if error.code == EEXIST { continue }
                throw error
            }
            let lock = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
            flock(lock.raw, LOCK_EX | LOCK_NB)
            try link(path, in: parent)
            return RunFolder(path: path, lock: lock)
        }
    }

    /// The path of a file in the folder.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a scenario's folder with `host/` and `accessory/`, and returns its path.
    func scenario(_ slug: String) throws(SystemError) -> String {
        let folder = file(slug)
        for name in ["", "/host", "/accessory"] { try makeFolder(folder + name) }
        return folder
    }

    /// Removes the folder of a scenario, with its content.
    func removeScenario(_ slug: String) { try? FileManager.default.removeItem(atPath: file(slug)) }

    private static func stamp(_ now: Date) -> String {
        calendarText(Int(now.timeIntervalSince1970), "%Y%m%d-%H%M%S", isLocal: true)
    }

    private static func suffix() -> String {
        String((0..<4).map { _ in "0123456789abcdefghjkmnpqrstvwxyz".randomElement()! })  // not empty
    }

    /// Replaces the link in one step, so that it always exists.
    private static func link(_ path: String, in parent: String) throws(SystemError) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let temporary = "\(parent)/.latest-\(name)"
        try valueOrErrno("symlink", "making the link \(temporary)") { symlink(name, temporary) }
        try valueOrErrno("rename", "making the link \(parent)/latest") { rename(temporary, "\(parent)/latest") }
    }
}

/// Makes a folder and its parents, unless they exist.
func makeFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        try makeFolder(String(path[..<slash]))
    }
    do throws(SystemError) {
        try valueOrErrno("mkdir", "making the folder \(path)") { mkdir(path, 0o755) }
    } catch {
        if error.code != EEXIST { throw error }
    }
}
