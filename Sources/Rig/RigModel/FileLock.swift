import Glibc
import HILPOSIX
import HILTiming

/// An advisory lock on a file. ``release()``, the end of this object or the end of the process frees it.
package final class FileLock: Sendable {
    private let descriptor: Descriptor

    private init(descriptor: Descriptor) { self.descriptor = descriptor }

    deinit { release() }

    /// Takes the lock; nil if another holder has it.
    package static func tryTake(_ path: String) throws(SystemError) -> FileLock? {
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT)
        do { try valueOrErrno("flock", "locking \(path)") { flock(descriptor.raw, LOCK_EX | LOCK_NB) } } catch {
            if error.code == EWOULDBLOCK { return nil }
            throw error
        }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock, and blocks this thread until it is free.
    package static func take(_ path: String) throws(SystemError) -> FileLock {
        let descriptor = try Descriptor.open(path, O_RDWR | O_CREAT)
        try valueOrErrno("flock", "locking \(path)") { flock(descriptor.raw, LOCK_EX) }
        return FileLock(descriptor: descriptor)
    }

    /// Takes the lock, and waits until it is free, or the task is cancelled, or an hour has passed.
    ///
    /// - Parameter waiting: Called if another holder has it.
    package static func take(_ path: String, waiting: () -> Void) async throws -> FileLock {
        if let lock = try tryTake(path) { return lock }
        waiting()
        let taken = EventLog<FileLock>()
        startThread(named: "lock") {
            do { taken.append(try take(path)) } catch { taken.finish(throwing: error) }
        }
        return try await taken.first(within: .seconds(3600), waitingFor: "another run that holds \(path)").event
    }

    /// Calling it again does no harm.
    package func release() {
        // Closing is not enough: a child process that is just being started has a copy of the descriptor.
        flock(descriptor.raw, LOCK_UN)
        descriptor.close()
    }
}
