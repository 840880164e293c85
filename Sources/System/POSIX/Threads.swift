import Glibc
import HILCLinux

private final class ThreadBody: Sendable {
    private let name: String
    private let body: @Sendable () -> Void

    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }

    func run() {
        // By the thread itself: its starter must not touch it, because it may have ended and its memory may be gone.
        pthread_setname_np(pthread_self(), String(decoding: name.utf8.prefix(15), as: UTF8.self))
        body()
    }
}

/// Runs `body` on a new detached thread, for work that blocks in the kernel.
///
/// - Parameter name: For debuggers; cut to the kernel's limit of 15 bytes.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(ThreadBody(name, body)).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let code = pthread_create(
        &thread, &attributes,
        { argument in
            Unmanaged<ThreadBody>.fromOpaque(argument!).takeRetainedValue().run()
            return nil
        }, argument)
    precondition(code == 0, "starting the thread \(name): \(String(cString: strerror(code)))")
}

/// Sends these signals, in order, to a running thread of this process other than the caller's.
///
/// If all threads wait, the main thread gets them.
package func signalBusyThread(_ signals: Int32...) {
    let process = getpid()
    let busy = threads().first { $0 != gettid() && isRunning($0) } ?? process
    for signal in signals { _ = tgkill(process, busy, signal) }
}

/// The threads of this process.
func threads() -> [pid_t] { KernelFile.numbers(in: "/proc/self/task") }

private func isRunning(_ thread: pid_t) -> Bool { processState(in: "/proc/self/task/\(thread)/stat") == "R" }

/// Nanoseconds since 1970-01-01 00:00 UTC. All logs and captures use this clock.
package func wallClockNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
