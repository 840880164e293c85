import Foundation
import POSIX

/// The folder of one run: `results/20260114-093015-k3v9`, and the link `results/latest` that leads to the newest.
public struct RunFolder: Sendable {
    /// Absolute.
    public let path: String
    /// Locked as long as the run lives, so that no other run takes the folder for an old one.
    private let lock: Descriptor

    /// Makes a new one; two runs that start at once get two.
    ///
    /// - Parameter parent: `results`; made if it is not there.
    public static func create(in parent: String, now: Date = Date()) throws(SystemError) -> RunFolder {
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

    /// The path of something in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a scenario's folder, with `host/` and `accessory/`, and gives its path.
    func scenario(_ slug: String) throws(SystemError) -> String {
        let folder = file(slug)
        for name in ["", "/host", "/accessory"] { try makeFolder(folder + name) }
        return folder
    }

    private static func stamp(_ now: Date) -> String {
        var time = time_t(now.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func suffix() -> String {
        String((0..<4).map { _ in "0123456789abcdefghjkmnpqrstvwxyz".randomElement()! })  // not empty
    }

    /// Puts the new link in the old one's place in one move, so that there is always one.
    private static func link(_ path: String, in parent: String) throws(SystemError) {
        let name = URL(fileURLWithPath: path).lastPathComponent
        let temporary = "\(parent)/.latest-\(name)"
        try valueOrErrno("symlink", "making the link \(temporary)") { symlink(name, temporary) }
        try valueOrErrno("rename", "making the link \(parent)/latest") { rename(temporary, "\(parent)/latest") }
    }
}

/// Makes a folder and those above it; one that is there already is fine.
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

/// Writes a file so that its readers see the old content or the new, never a part.
public func replaceFile(_ path: String, with bytes: some Collection<UInt8>) throws(SystemError) {
    let temporary = "\(path).new"
    do throws(SystemError) {
        let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.write(bytes)
        file.close()
        try valueOrErrno("rename", "replacing \(path)") { rename(temporary, path) }
    } catch {
        unlink(temporary)
        throw SystemError(code: error.code, action: "writing \(path)")
    }
}
