import Glibc
import POSIX

/// What the virtual medium tells a board beside the frames: on which channels there is something to hear.
///
/// To listen on a channel takes a tenth of a second, and there are dozens. The medium knows which are in use; a board with real
/// radios has nobody to tell it. The program that plugs the radio in leaves it in a file, for as long as the radio is there.
package struct ChannelsInUse: Sendable {
    private let path: String

    /// - Parameter path: Where the file is.
    package init(path: String = "/run/hil-channels") { self.path = path }

    /// The centres of the channels, MHz, in order; nil where nobody tells.
    package func read() -> [Int]? {
        guard let file = try? Descriptor.open(path, O_RDONLY), let bytes = try? file.read() else { return nil }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
    }

    /// Tells it anew; who reads meanwhile gets the one or the other.
    func write(_ frequencies: [UInt16]) throws(SystemError) {
        let next = "\(path).next"
        let file = try Descriptor.open(next, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        try file.write(frequencies.map { "\($0)\n" }.joined().utf8)
        try valueOrErrno("rename", "writing \(path)") { rename(next, path) }
    }

    /// Nobody tells any more.
    func remove() { unlink(path) }
}
