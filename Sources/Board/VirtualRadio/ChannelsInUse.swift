import Glibc
import HILPOSIX

/// The channels in use, which the virtual medium reports to a board.
///
/// Listening on one channel takes a tenth of a second, and there are dozens of channels. The virtual medium knows which
/// are in use; a board with real radios does not. The program that adds the virtual radio writes them to a file, and
/// removes the file with the radio.
package struct ChannelsInUse: Sendable {
    private let path: String

    /// - Parameter path: The path of the file.
    package init(path: String = "/run/hil-channels") { self.path = path }

    /// The centre frequencies of the channels in MHz, in order; nil if they are not known.
    package func read() -> [Int]? {
        guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.read() else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    /// Replaces the file in one step, so that a reader sees either the old content or the new.
    func write(_ frequencies: [UInt16]) throws(SystemError) {
        let next = "\(path).next"
        let file = try Descriptor.open(next, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.write(frequencies.map { "\($0)\n" }.joined().utf8)
        try valueOrErrno("rename", "writing \(path)") { rename(next, path) }
    }

    /// Removes the file: the channels are no longer known.
    func remove() { unlink(path) }
}
