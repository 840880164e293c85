import Glibc
import HILPOSIX

/// Follows the kernel's log from now on.
final class KernelLog: Sendable {
    private let thread: PacketThread

    /// - Parameter take: Called with lines as `dmesg` prints them, `[   12.345678] text`, on a separate thread.
    init(_ take: @escaping @Sendable ([UInt8]) -> Void) throws(SystemError) {
        let file = try Descriptor.open("/dev/kmsg", O_RDONLY | O_NONBLOCK)
        lseek(file.raw, 0, SEEK_END)
        // One read gives one record. EPIPE means that some were overwritten before they were read.
        thread = try PacketThread("kernel", reading: file, upTo: 8192, despite: [EAGAIN, EPIPE, EINTR]) { record in
            if let line = KernelLog.line(of: record) { take(line) }
        }
    }

    func stop() { thread.stop() }

    /// Reads a record (`Documentation/ABI/testing/dev-kmsg`): `priority,number,microseconds,flags;text`, and then lines
    /// of properties, which begin with a space. Nil for other bytes.
    static func line(of record: [UInt8]) -> [UInt8]? {
        guard let colon = record.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let fields = String(decoding: record[..<colon], as: UTF8.self).split(separator: ",")
        guard fields.count > 2, let time = UInt64(fields[2]) else { return nil }
        let text = record[(colon + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        let seconds = String(time / 1_000_000)
        let fraction = String(time % 1_000_000 + 1_000_000).dropFirst()
        let space = String(repeating: " ", count: max(0, 5 - seconds.count))
        return Array("[\(space)\(seconds).\(fraction)] ".utf8) + text + [UInt8(ascii: "\n")]
    }
}
