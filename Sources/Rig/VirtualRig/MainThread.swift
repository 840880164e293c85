import Dispatch
import Synchronization

/// Work for the thread that a program started on.
///
/// The kernel kills a child of ours when the *thread* that started it ends, and of all threads only the first one surely
/// lives as long as the program.
final class MainThread: Sendable {
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let added = DispatchSemaphore(value: 0)

    /// Runs jobs as they come, for ever.
    func run() -> Never {
        while true {
            added.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job()
        }
    }

    /// Has `body` run there.
    func call<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            jobs.withLock { $0.append { continuation.resume(with: Result { try body() }) } }
            added.signal()
        }
    }
}
