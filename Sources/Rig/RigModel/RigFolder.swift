import Foundation
import HILPOSIX

/// The private folder of one running rig, with its sockets or logs. It is removed when the rig ends.
package struct RigFolder: Sendable {
    /// The parent of all rigs' folders. It is short, because the path of a socket has at most 107 bytes.
    package static var standardBase: String { "/tmp/hil-\(geteuid())" }

    /// The absolute path.
    package let path: String
    /// Held while the rig runs. If the lock of a folder is free, its rig has ended.
    private let lock: FileLock

    /// Makes a folder, and removes the folders that killed rigs left behind.
    package init(base: String? = nil) throws {
        let base = base ?? RigFolder.standardBase
        try RigFolder.makePrivate(base)
        // No other process may sweep between making and locking a folder.
        let sweeping = try FileLock.take("\(base)/lock")
        defer { sweeping.release() }
        RigFolder.sweep(base)
        // The process number alone is not unique: containers that share /tmp have their own numbers.
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

    /// The file in a rig's folder with the ``TickRecord`` of a part.
    package static func ticks(of part: RigPart, in folder: String) -> String { "\(folder)/\(part.rawValue).ticks" }

    /// Removes the folder with its content.
    package func remove() {
        try? FileManager.default.removeItem(atPath: path)
        lock.release()
    }

    /// The environment entry that names the rig's folder of a process.
    ///
    /// - Parameter folder: The folder, or one in it.
    package static func mark(_ folder: String) -> String { "\(variable)=\(folder)" }
    private static let variable = "HIL_RIG_FOLDER"

    /// Makes the processes that this one starts belong to the rig. Call it before other threads read the environment.
    package func markOwnProcesses() { setenv(RigFolder.variable, path, 1) }

    /// Ends the remaining processes of a rig in its folder: the rig's process was killed, and they did not end with it.
    private static func endProcesses(of folder: String) {
        let (own, within) = (mark(folder), mark(folder) + "/")
        for process in KernelFile.processes(whoseEnvironment: { $0 == own || $0.hasPrefix(within) }) {
            kill(process, SIGKILL)
        }
    }

    /// Removes the folders of ended rigs, and ends their remaining processes.
    private static func sweep(_ base: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: base)) ?? []
        for name in names where name != "lock" {
            let folder = "\(base)/\(name)"
            guard let lock = try? FileLock.tryTake("\(folder)/lock") else { continue }
            endProcesses(of: folder)
            try? FileManager.default.removeItem(atPath: folder)
            lock.release()
        }
    }

    /// Makes the base folder, or checks that only this user can access it, because everybody can write to /tmp.
    private static func makePrivate(_ base: String) throws {
        if mkdir(base, 0o700) == 0 { return }
        guard errno == EEXIST else { throw SystemError(code: errno, action: "making \(base)") }
        var info = stat()
        try valueOrErrno("lstat", "looking at \(base)") { lstat(base, &info) }
        guard info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid(), info.st_mode & 0o077 == 0 else {
            throw RigFailure(
                "making the rig's folder", "\(base) is not a folder for us alone", remedy: "remove it, then repeat")
        }
    }
}
