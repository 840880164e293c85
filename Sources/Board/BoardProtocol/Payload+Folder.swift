import Glibc
import HILPOSIX

extension Payload {
    /// Writes all entries into a folder, which is new and used by nobody else. No path leads through a link: see
    /// ``init(_:)``.
    package func write(into folder: String) throws(SystemError) {
        for entry in entries { try Payload.write(entry, below: folder) }
        // Permissions come last, because a folder may be read-only.
        try setFolderModes(below: folder) { $0 }
    }

    /// Sets the permissions of all folders below a folder that ``write(into:)`` has filled.
    package func setFolderModes(below folder: String, _ mode: (UInt16) -> UInt16) throws(SystemError) {
        for entry in entries.reversed() where entry.content == .folder {
            try Payload.setMode(mode(entry.mode), of: "\(folder)/\(entry.path)")
        }
    }

    private static func write(_ entry: Entry, below folder: String) throws(SystemError) {
        let path = "\(folder)/\(entry.path)"
        switch entry.content {
        case .folder: try valueOrErrno("mkdir", "making the folder \(path)") { mkdir(path, 0o700) }
        case .file(let bytes):
            let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try file.write(bytes)
            try setMode(entry.mode, of: path)
        case .link(let target): try valueOrErrno("symlink", "making the link \(path)") { symlink(target, path) }
        }
    }

    private static func setMode(_ mode: UInt16, of path: String) throws(SystemError) {
        try valueOrErrno("chmod", "setting the permissions of \(path)") { chmod(path, mode_t(mode)) }
    }
}
