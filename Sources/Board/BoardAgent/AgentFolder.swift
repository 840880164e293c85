import Glibc
import HILPOSIX

/// A folder of the agent, by default the one for sockets, leases and configuration files, which is lost at power-off.
///
/// Only its owner may read it. Other users may pass through it, to the files of a program that runs as one of them.
struct AgentFolder: Sendable {
    let path: String

    /// Makes the folder if it does not exist.
    init(path: String = "/run/hil") throws(SystemError) {
        self.path = path
        try AgentFolder.make(path, mode: 0o711)
    }

    /// Makes a folder in it if it does not exist.
    func makeFolder(_ name: String) throws(SystemError) { try AgentFolder.make(file(name), mode: 0o700) }

    static func make(_ path: String, mode: mode_t) throws(SystemError) {
        guard mkdir(path, mode) == -1, errno != EEXIST else { return }
        throw SystemError(code: errno, action: "making the folder \(path)")
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file that only its owner may read. Replaces an earlier one.
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws(SystemError) {
        unlink(file(name))
        let descriptor = try Descriptor.open(file(name), O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        try descriptor.write(text.utf8)
    }

    /// The text of a file, at most 64 KiB.
    func read(_ name: String) throws(SystemError) -> String {
        let descriptor = try Descriptor.open(file(name), O_RDONLY)
        return String(decoding: try descriptor.read(), as: UTF8.self)
    }

    /// Removes a file if it exists.
    func remove(_ name: String) { unlink(file(name)) }
}
