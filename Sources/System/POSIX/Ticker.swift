import Glibc
import Synchronization

/// A thread that wakes every 20 ms and records that in a file. So another process can see at any time, without its
/// help, how long this one had no processor, was stopped or was frozen.
///
/// One thread keeps the records of all its subjects: to wake it costs more than to write.
package final class Ticker: Sendable {
    private struct Subject {
        let file: Descriptor
        let isRunning: @Sendable () -> Bool
        var record = TickRecord(start: bootTimeNanoseconds())

        /// Records that the thread has woken.
        mutating func tick(at now: UInt64) {
            guard isRunning() else { return }
            record.tick(at: now)
            // A full disk makes the record look old. This excuses too much rather than too little.
            _ = record.bytes.withUnsafeBytes { pwrite(file.raw, $0.baseAddress, $0.count, 0) }
        }
    }

    private let isStopped = Atomic(false)
    private let subjects: Mutex<[Subject]>

    /// - Parameter file: Takes this process's ``TickRecord``, again and again, at its beginning.
    package init(writing file: Descriptor) {
        subjects = Mutex([Subject(file: file, isRunning: { true })])
        startThread(named: "ticker") { [weak self] in
            while let self, !self.isStopped.load(ordering: .relaxed) {
                self.tick()
                // Relative, so that a late tick is not followed by a burst of quick ones.
                var pause = timespec(tv_sec: 0, tv_nsec: Int(TickRecord.period))
                _ = nanosleep(&pause, nil)
            }
        }
    }

    /// Makes the file and begins to tick.
    package convenience init(at path: String) throws(SystemError) { self.init(writing: try Ticker.file(at: path)) }

    deinit { stop() }

    /// Keeps the record of another subject from now on, in a new file.
    ///
    /// - Parameter isRunning: Whether the subject runs now. Called at each tick.
    package func watch(at path: String, isRunning: @escaping @Sendable () -> Bool) throws(SystemError) {
        watch(writing: try Ticker.file(at: path), isRunning: isRunning)
    }

    /// Keeps the record of another subject from now on, at the beginning of a file.
    package func watch(writing file: Descriptor, isRunning: @escaping @Sendable () -> Bool) {
        let subject = Subject(file: file, isRunning: isRunning)
        subjects.withLock { $0.append(subject) }
    }

    /// Ends the thread soon.
    package func stop() { isStopped.store(true, ordering: .relaxed) }

    private func tick() {
        subjects.withLock { subjects in
            let now = bootTimeNanoseconds()
            for index in subjects.indices { subjects[index].tick(at: now) }
        }
    }

    private static func file(at path: String) throws(SystemError) -> Descriptor {
        try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
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
