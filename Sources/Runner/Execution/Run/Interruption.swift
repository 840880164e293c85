import Dispatch
import Glibc
import HILTiming
import Synchronization

/// A request to end a run early: a signal, or the end of its budget.
package final class Interruption: Sendable {
    /// The reason for the interruption.
    package enum Cause: Sendable, Hashable {
        /// SIGINT, SIGTERM or SIGHUP.
        case signal(Int32)
        /// The run has used up its budget.
        case budget
    }

    private let causes = EventLog<Cause>()
    private let sources = Mutex<[any DispatchSourceSignal]>([])

    package init() {}

    /// The first reason; nil if the run is not interrupted.
    package var cause: Cause? { causes.events.first }

    /// The signal, if that was the first reason.
    package var signal: Int32? { if case .signal(let number)? = cause { number } else { nil } }

    /// Reports a signal.
    package func raise(_ signal: Int32) { causes.append(.signal(signal)) }

    /// Reports that the run's budget is used up.
    package func overrun() { causes.append(.budget) }

    /// Waits for an interruption.
    ///
    /// - Throws: If the task is cancelled.
    package func wait() async throws {
        _ = try await causes.first(within: .seconds(1_000_000), waitingFor: "an interruption")
    }

    /// Handles SIGINT, SIGTERM and SIGHUP from now on, instead of their default of ending the process. The second
    /// signal ends the process; rig and worker then end too, because their parent is gone.
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
