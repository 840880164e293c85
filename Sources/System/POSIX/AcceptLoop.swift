import Glibc

/// Accepts connections on a listening socket, until the task is cancelled or the socket is shut down.
///
/// A connection that broke while it waited is skipped. If the process has no room for another one (`EMFILE` and
/// similar), the connection stays in the queue and is tried again after a pause: the kernel sends no event when there
/// is room again.
///
/// - Parameters:
///   - listener: A non-blocking socket.
///   - pause: How long to wait after a failure.
///   - clock: Measures the pause; tests use a manual clock.
///   - accept: Accepts one connection from the queue.
///   - serve: Called with each connection, one after the other. It must not wait for the peer.
package func acceptConnections(
    on listener: Descriptor, pause: Duration = .milliseconds(100), clock: any Clock<Duration> = ContinuousClock(),
    accept: (Descriptor) throws(SystemError) -> Descriptor = { listener throws(SystemError) in
        try UnixSocket.accept(on: listener)
    },
    _ serve: (Descriptor) -> Void
) async {
    while !Task.isCancelled, (try? await waitUntilReady(listener)) != nil {
        do throws(SystemError) { serve(try accept(listener)) } catch {
            switch error.code {
            // The connection is gone. A Unix socket gives the same error after a shutdown.
            case EAGAIN, ECONNABORTED: if isHungUp(listener) { return }
            // accept(2) returns these if the socket no longer listens.
            case EBADF, EINVAL: return
            default: try? await clock.sleep(for: pause)
            }
        }
    }
}

/// Whether a socket has been shut down, or its peer has gone.
package func isHungUp(_ descriptor: Descriptor) -> Bool {
    var look = pollfd(fd: descriptor.raw, events: 0, revents: 0)
    return poll(&look, 1, 0) == 1
}
