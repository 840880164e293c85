import Dispatch
import Glibc
import POSIX
import Synchronization
import Timing

/// Starts child processes from one thread that never ends: the kernel kills a child when the *thread* that started it
/// ends, and the agent's daemons are to go with the agent, however that ends.
final class Spawner: Sendable {
    static let shared = Spawner()

    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let isAwaited = DispatchSemaphore(value: 0)

    private init() {
        startThread(named: "spawner") { [self] in
            while true {
                isAwaited.wait()
                jobs.withLock { $0.removeFirst() }()
            }
        }
    }

    /// Starts a program, as ``POSIX/ChildProcess/spawn(_:environment:streams:ownGroup:diesWithParent:)`` does.
    func spawn(
        _ arguments: [String], environment: [String]? = nil, streams: [ChildProcess.Stream]
    ) async throws(SystemError) -> ChildProcess {
        let result: Result<ChildProcess, SystemError> = await withCheckedContinuation { continuation in
            jobs.withLock { jobs in
                jobs.append {
                    do throws(SystemError) {
                        let child = try ChildProcess.spawn(
                            arguments, environment: environment, streams: streams, diesWithParent: true)
                        continuation.resume(returning: .success(child))
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
            isAwaited.signal()
        }
        return try result.get()
    }

    /// Runs a program that ends by itself, and gives all that it prints.
    static func output(
        of arguments: [String], environment: [String]? = nil, within limit: Duration
    ) async throws -> String {
        let pipe = try Descriptor.pipe()
        // Not tied to the agent's life, which costs one more program to start: it ends soon by itself.
        let child = try ChildProcess.spawn(
            arguments, environment: environment, streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
        pipe.write.close()
        let printed = EventLog<String>()
        startThread(named: "output") { [read = pipe.read] in
            var bytes: [UInt8] = []
            while let more = try? read.read(), !more.isEmpty { bytes += more }
            printed.append(String(decoding: bytes, as: UTF8.self))
        }
        do {
            // It has printed all when nobody holds the pipe any more.
            return try await printed.first(within: limit, waitingFor: "\(arguments[0]) to end").event
        } catch {
            child.signal(SIGKILL)
            throw error
        }
    }
}
