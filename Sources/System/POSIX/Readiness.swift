import CLinux
import Glibc
import Synchronization

/// Returns when a descriptor is ready, however long that takes; end it by cancelling the task.
///
/// One thread waits for all descriptors of the process: a wait costs neither a thread nor a descriptor.
///
/// - Parameters:
///   - descriptor: Stays open until this returns. Several tasks may wait for the same one.
///   - events: `POLLIN`, `POLLOUT`; a hang-up or an error counts as ready too.
/// - Throws: ``SystemError`` or `CancellationError`.
package func waitUntilReady(_ descriptor: Descriptor, for events: Int32 = POLLIN) async throws {
    // The kernel's numbers for poll and epoll are the same.
    try await ReadinessPoller.shared.wait(for: descriptor, UInt32(events))
}

/// Waits for descriptors for every task of the process, on one thread that starts with the first wait.
final class ReadinessPoller: Sendable {
    static let shared = ReadinessPoller()

    private struct Waiter {
        let token: Int
        /// Held, so that its number is nobody else's.
        let descriptor: Descriptor
        let raw: Int32
        let events: UInt32
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// The kernel's set of watched descriptors; nil until the first wait.
        var watched: Descriptor?
        var waiters: [Waiter] = []
        var lastToken = 0
    }

    private let state = Mutex(State())

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func wait(for descriptor: Descriptor, _ events: UInt32) async throws {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // Under the lock: a cancellation that comes later finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    let waiter = Waiter(
                        token: token, descriptor: descriptor, raw: descriptor.raw, events: events,
                        continuation: continuation)
                    do throws(SystemError) {
                        state.waiters.append(waiter)
                        try watch(waiter.raw, &state)
                        return nil
                    } catch {
                        state.waiters.removeLast()
                        // Files on a disk cannot be watched: they are always ready.
                        return error.code == EPERM ? .success(()) : .failure(error)
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.token == token }) else { return nil as Waiter? }
                let waiter = state.waiters.remove(at: index)
                // Fewer events to watch for: where the kernel refuses, the next event is for nobody, once.
                try? watch(waiter.raw, &state)
                return waiter
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Tells the kernel which events of a descriptor are waited for.
    private func watch(_ raw: Int32, _ state: inout State) throws(SystemError) {
        let watched = try started(&state)
        let waiters = state.waiters.filter { $0.raw == raw }
        guard !waiters.isEmpty else {
            _ = epoll_ctl(watched.raw, EPOLL_CTL_DEL, raw, nil)
            return
        }
        var event = epoll_event()
        // Told once: a descriptor that is ready and not yet read does not keep the thread busy.
        event.events = waiters.reduce(EPOLLONESHOT.rawValue) { $0 | $1.events }
        event.data.fd = raw
        try valueOrErrno("epoll_ctl", "waiting for descriptor \(raw)") {
            let code = epoll_ctl(watched.raw, EPOLL_CTL_MOD, raw, &event)
            return code == -1 && errno == ENOENT ? epoll_ctl(watched.raw, EPOLL_CTL_ADD, raw, &event) : code
        }
    }

    private func started(_ state: inout State) throws(SystemError) -> Descriptor {
        if let watched = state.watched { return watched }
        let raw = try valueOrErrno("epoll_create1", "preparing to wait for descriptors") {
            epoll_create1(Int32(EPOLL_CLOEXEC))
        }
        let watched = Descriptor(adopting: raw)
        state.watched = watched
        startThread(named: "readiness") { self.run(watched) }
        return watched
    }

    private func run(_ watched: Descriptor) {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(watched.raw, &events, Int32(events.count), -1)
            precondition(count != -1 || errno == EINTR, "waiting for descriptors: \(String(cString: strerror(errno)))")
            for event in events.prefix(Int(max(0, count))) { wake(event.data.fd, event.events) }
        }
    }

    private func wake(_ raw: Int32, _ events: UInt32) {
        let isOver = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        let (woken, failed) = state.withLock { state in
            func isWoken(_ waiter: Waiter) -> Bool { waiter.raw == raw && (isOver || waiter.events & events != 0) }
            let woken = state.waiters.filter(isWoken)
            state.waiters.removeAll(where: isWoken)
            do throws(SystemError) {
                try watch(raw, &state)
                return (woken, nil as (waiters: [Waiter], error: SystemError)?)
            } catch {
                defer { state.waiters.removeAll { $0.raw == raw } }
                return (woken, (state.waiters.filter { $0.raw == raw }, error))
            }
        }
        for waiter in woken { waiter.continuation.resume() }
        for waiter in failed?.waiters ?? [] { waiter.continuation.resume(throwing: failed!.error) }
    }
}
