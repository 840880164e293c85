import Glibc
import HILPOSIX

/// Follows the kernel's log from now on.
final class KernelLog: Sendable {
    private let file: Descriptor
    private let wakeUp: (read: Descriptor, write: Descriptor)

    /// - Parameter take: Called with lines as `dmesg` prints them, `[   12.345678] text`, on a thread of its own.
    init(_ take: @escaping @Sendable ([UInt8]) -> Void) throws(SystemError) {
        file = try Descriptor.open("/dev/kmsg", O_RDONLY | O_NONBLOCK)
        wakeUp = try Descriptor.pipe()
        lseek(file.raw, 0, SEEK_END)
        startThread(named: "kernel") { [file, wakeUp] in
            var files = [
                pollfd(fd: file.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
            ]
            while poll(&files, 2, -1) > 0 || errno == EINTR {
                guard files[1].revents == 0 else { return }
                // One read gives one record. EPIPE says that some were overwritten before they were read.
                do throws(SystemError) {
                    if let line = KernelLog.line(of: try file.read(upTo: 8192)) { take(line) }
                } catch {
                    guard error.code == EAGAIN || error.code == EPIPE || error.code == EINTR else { return }
                }
            }
        }
    }

    deinit { stop() }

    func stop() { wakeUp.write.close() }

    /// Reads a record (`Documentation/ABI/testing/dev-kmsg`): `priority,number,microseconds,flags;text`, and then lines
    /// of properties, which begin with a space. nil if it is none.
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
