import Glibc

/// Returns when a descriptor is ready, however long that takes; end it by cancelling the task.
///
/// - Parameters:
///   - descriptor: Stays open until this returns.
///   - events: `POLLIN`, `POLLOUT`; a hang-up or an error counts as ready too.
/// - Throws: ``SystemError`` or `CancellationError`.
public func waitUntilReady(_ descriptor: Descriptor, for events: Int32 = POLLIN) async throws {
    let wake = try Descriptor.pipe()
    try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            startThread(named: "ready-\(descriptor.raw)") {
                var polls = [
                    pollfd(fd: descriptor.raw, events: Int16(events), revents: 0),
                    pollfd(fd: wake.read.raw, events: Int16(POLLIN), revents: 0),
                ]
                do {
                    try valueOrErrno("poll", "waiting for descriptor \(descriptor.raw)") { poll(&polls, 2, -1) }
                    if polls[0].revents == 0 { throw CancellationError() }
                    continuation.resume()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    } onCancel: {
        wake.write.close()
    }
}
