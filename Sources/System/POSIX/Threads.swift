import CLinux
import Glibc

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` on a new detached thread, for work that blocks in the kernel.
///
/// - Parameter name: Shown by debuggers; cut to the kernel's 15 bytes.
public func startThread(named name: String, _ body: @escaping @Sendable () -> Void) {
    let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
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
    pthread_setname_np(thread, String(decoding: name.utf8.prefix(15), as: UTF8.self))
}

/// Nanoseconds since 1970-01-01 00:00 UTC: the one clock of every log and capture.
public func wallClockNanoseconds() -> UInt64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
}
