import Glibc
import HILCLinux
import Synchronization

/// A file descriptor. It is closed by ``close()``, or when the last reference is released.
package final class Descriptor: Sendable {
    /// The number; -1 after closing.
    private let number: Mutex<Int32>

    /// Takes ownership of an open descriptor.
    package init(adopting raw: Int32) { number = Mutex(raw) }

    deinit { close() }

    /// The number of the descriptor; -1 after closing.
    package var raw: Int32 { number.withLock { $0 } }

    /// Closes the descriptor. Calling it again does no harm.
    package func close() {
        let raw = number.withLock { value in
            defer { value = -1 }
            return value
        }
        if raw >= 0 { _ = Glibc.close(raw) }
    }

    /// Opens a file, close-on-exec.
    ///
    /// - Parameter flags: `O_RDONLY` and so on.
    /// - Parameter mode: Permissions of a new file; by default only its owner may read and write it.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("open", "opening \(path)") { Glibc.open(path, flags | O_CLOEXEC, mode) }
        return Descriptor(adopting: raw)
    }

    /// A file in memory without a path, close-on-exec. It is gone with its last descriptor.
    ///
    /// - Parameter name: For debuggers.
    package static func memory(named name: String) throws(SystemError) -> Descriptor {
        Descriptor(
            adopting: try valueOrErrno("memfd_create", "making a file in memory") {
                memfd_create(name, UInt32(MFD_CLOEXEC))
            })
    }

    /// A pipe, both ends close-on-exec.
    package static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        try valueOrErrno("pipe", "making a pipe") {
            withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: Int32.self, capacity: 2) { pipe2($0, O_CLOEXEC) }
            }
        }
        return (Descriptor(adopting: ends.0), Descriptor(adopting: ends.1))
    }

    /// Reads what is available, at most `limit` bytes. Returns an empty array at the end of the stream.
    package func read(upTo limit: Int = 65_536) throws(SystemError) -> [UInt8] {
        let raw = raw
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            do throws(SystemError) {
                count = try valueOrErrno("read", "reading descriptor \(raw)") {
                    Glibc.read(raw, buffer.baseAddress, limit)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Writes all the bytes. Waits while there is no room, also on non-blocking descriptors.
    package func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
        let copy = ContiguousArray(bytes)
        var done = 0
        while done < copy.count {
            let raw = raw
            do throws(SystemError) {
                done += try valueOrErrno("write", "writing descriptor \(raw)") {
                    copy.withUnsafeBytes { Glibc.write(raw, $0.baseAddress! + done, $0.count - done) }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                var room = pollfd(fd: raw, events: Int16(POLLOUT), revents: 0)
                try valueOrErrno("poll", "waiting for room on descriptor \(raw)") { poll(&room, 1, -1) }
            }
        }
    }

    /// Writes a message that is shorter than `PIPE_BUF`, without waiting, on a non-blocking descriptor.
    ///
    /// - Throws: ``SystemError``: `EAGAIN` if there is no room for it.
    package func writeNow(_ message: [UInt8]) throws(SystemError) {
        let raw = raw
        let count = try valueOrErrno("write", "writing descriptor \(raw)") { Glibc.write(raw, message, message.count) }
        if count < message.count { throw SystemError(code: EAGAIN, action: "writing descriptor \(raw)") }
    }

    /// Writes what there is room for, at least one byte. Returns how many bytes were written.
    package func writeSome(_ bytes: some Collection<UInt8>) throws(SystemError) -> Int {
        let (raw, copy) = (raw, ContiguousArray(bytes))
        return try valueOrErrno("write", "writing descriptor \(raw)") {
            copy.withUnsafeBytes { Glibc.write(raw, $0.baseAddress, $0.count) }
        }
    }

    /// Makes reads and writes fail with `EAGAIN` instead of waiting.
    package func setNonBlocking() throws(SystemError) {
        let raw = raw
        let flags = try valueOrErrno("fcntl", "reading the flags of descriptor \(raw)") { fcntl(raw, F_GETFL) }
        try valueOrErrno("fcntl", "making descriptor \(raw) non-blocking") { fcntl(raw, F_SETFL, flags | O_NONBLOCK) }
    }
}

extension Descriptor {
    /// Ends both directions of a connected socket. A thread that reads it wakes up. No effect on other files.
    package func shutDown() {
        let raw = raw
        if raw >= 0 { _ = shutdown(raw, Int32(SHUT_RDWR)) }
    }
}
