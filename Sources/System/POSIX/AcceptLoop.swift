import Glibc

/// Takes the connections that come to a listening socket, until the task is cancelled or the socket is shut down.
///
/// A connection that broke off while it waited is passed over. Where there is no room for one more (`EMFILE` and the like)
/// it stays in the queue, and is tried again after a pause: the kernel does not tell when there is room again.
///
/// - Parameters:
///   - listener: Does not block.
///   - pause: How long to wait after a failure.
///   - clock: Measures the pause; tests give a manual clock.
///   - accept: Takes a connection from the queue.
///   - serve: Called with each connection, one after the other; must not wait for its peer.
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
            // Nobody is there any more; a Unix socket says the same when it was shut down.
            case EAGAIN, ECONNABORTED: if isHungUp(listener) { return }
            // What accept(2) says of a socket that does not listen any more.
            case EBADF, EINVAL: return
            default: try? await clock.sleep(for: pause)
            }
        }
    }
}

private func isHungUp(_ descriptor: Descriptor) -> Bool {
    var look = pollfd(fd: descriptor.raw, events: 0, revents: 0)
    return poll(&look, 1, 0) == 1
}
