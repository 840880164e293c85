import Glibc
import HILCLinux
import HILPOSIX
import HILTiming

/// Waits until all of these processes have ended. Whose children they are does not matter, nor whether somebody has
/// waited for them.
///
/// - Parameters:
///   - processes: Their identifiers. One that is gone has ended.
///   - limit: How long to wait, by the wall clock.
/// - Throws: `TimedOut`; ``HILPOSIX/SystemError`` if one cannot be watched; `CancellationError`.
public func waitForEnd(of processes: [pid_t], within limit: Duration) async throws {
    let ends = try processes.compactMap { try end(of: $0) }
    try await withDeadline(limit, waitingFor: "\(processes.count) processes to end") {
        for end in ends { try await waitUntilReady(end) }
    }
}

/// Waits until no more such processes are found: also what one of them has started meanwhile has to end.
///
/// - Parameter find: The identifiers of those that run now.
/// - Throws: As ``waitForEnd(of:within:)``.
public func waitForEnd(within limit: Duration, ofAll find: () -> [pid_t]) async throws {
    let deadline = ContinuousClock.now + limit
    while case let found = find(), !found.isEmpty { try await waitForEnd(of: found, within: .now(until: deadline)) }
}

/// A descriptor that is ready when the process has ended (pidfd_open(2)); nil if it is gone.
private func end(of process: pid_t) throws(SystemError) -> Descriptor? {
    let raw = pidfd_open(process, 0)
    if raw != -1 { return Descriptor(adopting: raw) }
    guard errno == ESRCH else { throw SystemError(code: errno, action: "watching process \(process)") }
    return nil
}
