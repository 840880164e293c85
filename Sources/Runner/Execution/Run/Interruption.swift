import Dispatch
import Glibc
import Synchronization
import Timing

/// What asks a run to end before its time, once there is something.
package final class Interruption: Sendable {
    /// What it was.
    package enum Cause: Sendable, Hashable {
        /// SIGINT, SIGTERM or SIGHUP.
        case signal(Int32)
        /// The run has used up its budget.
        case budget
    }

    private let causes = EventLog<Cause>()
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    package init() {}

    /// The first thing that asked.
    package var cause: Cause? { causes.events.first }

    /// The signal, where it was one that asked first.
    package var signal: Int32? { if case .signal(let number)? = cause { number } else { nil } }

    /// Says that a signal came.
    package func raise(_ signal: Int32) { causes.append(.signal(signal)) }

    /// Says that the run's budget is used up.
    package func overrun() { causes.append(.budget) }

    /// Returns when something has asked.
    ///
    /// - Throws: When the task is cancelled.
    package func wait() async throws {
        _ = try await causes.first(within: .seconds(1_000_000), waitingFor: "an interruption")
    }

    /// Takes SIGINT, SIGTERM and SIGHUP from now on in place of their default, which ends the process. The second one
    /// ends it all the same: rig and worker follow, because their parent is gone.
    package func takeSignals() {
        sources.withLock { sources in
            for number in [SIGINT, SIGTERM, SIGHUP] {
                _ = Glibc.signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { [weak self] in
                    guard let self else { return }
                    if self.cause != nil { _exit(128 + number) }
                    self.raise(number)
                }
                source.resume()
                sources.append(source)
            }
        }
    }
}
