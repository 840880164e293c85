import Foundation
import POSIX
import RigModel

/// The private folder of one running rig, with its sockets, or the logs of one that a person looks at; it is gone when
/// the rig is.
package struct RigFolder: Sendable {
    /// Where rigs have their folders: short, for a socket's path holds 107 bytes.
    static var standardBase: String { "/tmp/hil-\(geteuid())" }

    /// Absolute.
    package let path: String
    /// Held as long as the rig lives; a folder whose lock is free belongs to nobody.
    private let lock: FileLock

    /// Makes a folder, and removes those of rigs that died without doing so.
    package init(base: String? = nil) throws {
        let base = base ?? RigFolder.standardBase
        try RigFolder.makePrivate(base)
        // Nobody sweeps between the making of a folder and its lock.
        let sweeping = try FileLock.take("\(base)/lock")
        defer { sweeping.release() }
        RigFolder.sweep(base)
        // The number alone is not enough: containers that share /tmp count their processes from one.
        let path = "\(base)/\(getpid())-\(String(UInt16.random(in: .min ... .max), radix: 16))"
        for folder in [path, "\(path)/host", "\(path)/accessory"] {
            try valueOrErrno("mkdir", "making \(folder)") { mkdir(folder, 0o700) }
        }
        guard let lock = try FileLock.tryTake("\(path)/lock") else {
            throw SystemError(code: EBUSY, action: "locking \(path)")
        }
        self.path = path
        self.lock = lock
    }

    /// Removes the folder and all that is in it.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
        lock.release()
    }

    /// Removes the folders whose owners are dead.
    private static func sweep(_ base: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        for name in names where name != "lock" {
            let folder = "\(base)/\(name)"
            guard let lock = try? FileLock.tryTake("\(folder)/lock") else { continue }
            try? FileManager.default.removeItem(atPath: folder)
            lock.release()
        }
    }

    /// Makes the base, or sees that it is ours alone: /tmp is everybody's.
    private static func makePrivate(_ base: String) throws {
        if mkdir(base, 0o700) == 0 { return }
        guard errno == EEXIST else { throw SystemError(code: errno, action: "making \(base)") }
        var info = stat()
        try valueOrErrno("lstat", "looking at \(base)") { lstat(base, &info) }
        guard info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid(), info.st_mode & 0o077 == 0 else {
            throw RigFailure(
                "making the rig's folder", "\(base) is not a folder of ours alone", remedy: "remove it, then repeat")
        }
    }
}
