import Dispatch
import Glibc
import Synchronization
import Timing

/// The signal that asks a run to end, SIGINT or SIGTERM, if one has come.
public final class Interruption: Sendable {
    private struct Interrupted: Error {}

    private let signals = EventLog<Int32>()
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    public init() {}

    /// The first signal that came.
    public var signal: Int32? { signals.events.first }

    /// Says that a signal came.
    public func raise(_ signal: Int32) { signals.append(signal) }

    /// Returns when a signal has come.
    ///
    /// - Throws: When the task is cancelled.
    public func wait() async throws {
        _ = try await signals.first(within: .seconds(1_000_000), waitingFor: "a signal")
    }

    /// Takes SIGINT, SIGTERM and SIGHUP from now on in place of their default, which ends the process. The second one
    /// ends it all the same: rig and worker follow, because their parent is gone.
    public func takeSignals() {
        sources.withLock { sources in
            for number in [SIGINT, SIGTERM, SIGHUP] {
                _ = Glibc.signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in
                    guard let self else { return }
                    if self.signal != nil { _exit(128 + number) }
                    self.raise(number)
                }
                source.resume()
                sources.append(source)
            }
        }
    }
}
