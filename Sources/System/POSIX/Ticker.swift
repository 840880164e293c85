import Glibc
import Synchronization

/// A thread that wakes every 20 ms and records that in a file. So another process can see at any time, without its
/// help, how long this one had no processor, was stopped or was frozen.
package final class Ticker: Sendable {
    private let isStopped = Atomic(false)
    private let file: Descriptor

    /// - Parameters:
    ///   - file: Takes the ``TickRecord``, again and again, at its beginning.
    ///   - isRunning: Whether the subject of the record runs now; by default this process. Called at each tick.
    package init(writing file: Descriptor, isRunning: @escaping @Sendable () -> Bool = { true }) {
        self.file = file
        startThread(named: "ticker") { [weak self] in
            var record = TickRecord(start: bootTimeNanoseconds())
            while let self, !self.isStopped.load(ordering: .relaxed) {
                if isRunning() {
                    record.tick(at: bootTimeNanoseconds())
                    self.write(record)
                }
                // Relative, so that a late tick is not followed by a burst of quick ones.
                var pause = timespec(tv_sec: 0, tv_nsec: Int(TickRecord.period))
                _ = nanosleep(&pause, nil)
            }
        }
    }

    /// Makes the file and begins to tick.
    package convenience init(
        at path: String, isRunning: @escaping @Sendable () -> Bool = { true }
    ) throws(SystemError) {
        try self.init(writing: Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC), isRunning: isRunning)
    }

    deinit { stop() }

    /// Ends the thread soon.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    private func write(_ record: TickRecord) {
        let (bytes, raw) = (record.bytes, file.raw)
        // A full disk makes the record look old. This excuses too much rather than too little.
        _ = bytes.withUnsafeBytes { pwrite(raw, $0.baseAddress, $0.count, 0) }
    }
}

extension TickRecord {
    /// Reads the record of a running ticker; nil if the file has none.
    package init?(from file: Descriptor) {
        let raw = file.raw
        // A read in the middle of a write finds no record. The next one is 20 ms later.
        for _ in 0..<3 {
            var bytes = [UInt8](repeating: 0, count: TickRecord.size)
            let count = bytes.withUnsafeMutableBytes { pread(raw, $0.baseAddress, $0.count, 0) }
            if count == TickRecord.size, let record = TickRecord(bytes) {
                self = record
                return
            }
        }
        return nil
    }

    /// Reads the record of the ticker that writes this file; nil if the file has none.
    package init?(at path: String) {
        guard let file = try? Descriptor.open(path, O_RDONLY) else { return nil }
        self.init(from: file)
    }
}

/// Nanoseconds since the machine's start, suspension included (`CLOCK_BOOTTIME`).
package func bootTimeNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
