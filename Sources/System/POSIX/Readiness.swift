import Glibc
import HILCLinux
import Synchronization

/// Waits until a descriptor is ready. There is no limit: cancel the task to end the wait.
///
/// One thread waits for all descriptors of the process, so a wait needs no thread and no descriptor.
///
/// - Parameters:
///   - descriptor: Keep it open until this returns. Several tasks may wait for the same descriptor.
///   - events: `POLLIN`, `POLLOUT`. A hang-up or an error also counts as ready.
/// - Throws: ``SystemError`` or `CancellationError`.
package func waitUntilReady(_ descriptor: Descriptor, for events: Int32 = POLLIN) async throws {
    // poll and epoll use the same numbers.
    try await ReadinessPoller.shared.wait(for: descriptor, UInt32(events))
}

/// Waits for the descriptors of all tasks of the process. Its one thread starts with the first wait.
final class ReadinessPoller: Sendable {
    static let shared = ReadinessPoller()

    private struct Waiter {
        let token: Int
        /// Kept alive, so that its number is not reused.
        let descriptor: Descriptor
        let raw: Int32
        let events: UInt32
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        /// The epoll descriptor; nil before the first wait.
        var watched: Descriptor?
        var waiters: [Waiter] = []
        var lastToken = 0
        /// The number of the last request to the kernel for each watched descriptor.
        var requests: [Int32: UInt32] = [:]
        var lastRequest: UInt32 = 0
    }

    private let state = Mutex(State())

    /// How many tasks wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func wait(for descriptor: Descriptor, _ events: UInt32) async throws {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    // Inside the lock: a later cancellation finds the waiter.
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
                        // Disk files cannot be watched: they are always ready.
                        return error.code == EPERM ? .success(()) : .failure(error)
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                guard let index = state.waiters.firstIndex(where: { $0.token == token }) else { return nil as Waiter? }
                let waiter = state.waiters.remove(at: index)
                // There are fewer events to watch now. If the kernel refuses, one later event finds no waiter.
                try? watch(waiter.raw, &state)
                return waiter
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Tells the kernel which events of a descriptor to watch.
    private func watch(_ raw: Int32, _ state: inout State) throws(SystemError) {
        let watched = try started(&state)
        let waiters = state.waiters.filter { $0.raw == raw }
        guard !waiters.isEmpty else {
            state.requests[raw] = nil
            _ = epoll_ctl(watched.raw, EPOLL_CTL_DEL, raw, nil)
            return
        }
        state.lastRequest &+= 1
        state.requests[raw] = state.lastRequest
        var event = epoll_event()
        // One shot: a descriptor that is ready but not yet read does not keep the thread busy.
        event.events = waiters.reduce(EPOLLONESHOT.rawValue) { $0 | $1.events }
        event.data.u64 = Self.name(raw, state.lastRequest)
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
            for event in events.prefix(Int(max(0, count))) { wake(event.data.u64, event.events) }
        }
    }

    /// Names a request to the kernel: the number of the request, and the descriptor.
    static func name(_ raw: Int32, _ request: UInt32) -> UInt64 {
        UInt64(request) << 32 | UInt64(UInt32(bitPattern: raw))
    }

    /// Wakes the waiters of an event.
    ///
    /// An event that was fetched before the last request is ignored: its descriptor may have been closed since, and its
    /// number may be that of another file. If it is the same file, the kernel tells of it again.
    func wake(_ name: UInt64, _ events: UInt32) {
        let raw = Int32(bitPattern: UInt32(truncatingIfNeeded: name))
        let isOver = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        let (woken, failed) = state.withLock { state in
            guard state.requests[raw] == UInt32(name >> 32) else {
                return ([Waiter](), nil as (waiters: [Waiter], error: SystemError)?)
            }
            func isWoken(_ waiter: Waiter) -> Bool { waiter.raw == raw && (isOver || waiter.events & events != 0) }
            let woken = state.waiters.filter(isWoken)
            state.waiters.removeAll(where: isWoken)
            do throws(SystemError) {
                try watch(raw, &state)
                return (woken, nil)
            } catch {
                defer { state.waiters.removeAll { $0.raw == raw } }
                return (woken, (state.waiters.filter { $0.raw == raw }, error))
            }
        }
        for waiter in woken { waiter.continuation.resume() }
        for waiter in failed?.waiters ?? [] { waiter.continuation.resume(throwing: failed!.error) }
    }
}
