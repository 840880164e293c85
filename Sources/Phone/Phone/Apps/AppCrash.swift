import Foundation
import Glibc
import Synchronization

/// Ends the process where iOS would crash the app.
package enum AppCrash {
    /// The beginning of the line on standard error that shows the runner that the app crashed, not the harness.
    package static let prefix = "hil-app-crash: "

    /// How a process ends where iOS would crash the app.
    package enum Ending: Sendable {
        /// By `abort`, as for an app outside of a scenario.
        case abort
        /// With a backtrace that leads to the app's line, unless the reason contains this text. It takes seconds.
        case backtrace(unless: String?)
    }

    package static let ending = Mutex(Ending.abort)

    /// Prints the reason on standard error, in one line, and ends the process.
    ///
    /// - Parameters:
    ///   - rule: The rule that the app broke, such as `P2`.
    ///   - reason: What the app did, and how to fix it.
    package static func crash(_ rule: String, _ reason: String) -> Never {
        let line = "\(prefix)\(rule) \(reason.replacing("\n", with: " "))\n"
        FileHandle.standardError.write(Data(line.utf8))
        if case .backtrace(let expected) = ending.withLock({ $0 }) {
            // From abort, a function of the C library, the runtime's backtrace does not reach the app.
            guard let expected, reason.contains(expected) else { fatalError("\(rule) \(reason)") }
            signal(SIGABRT, SIG_DFL)
        }
        Glibc.abort()
    }

    /// Reads a line of standard error; nil if it does not report an app's crash.
    package static func parse(_ line: String) -> (rule: String, reason: String)? {
        guard line.hasPrefix(prefix) else { return nil }
        let parts = line.dropFirst(prefix.count).split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), parts[1].trimmingCharacters(in: .newlines))
    }
}
