import POSIX
import Phone

/// Why a worker died, as far as it could still say.
public struct Crash: Sendable, Hashable {
    /// One line.
    public let reason: String
    /// The system ended the app for breaking this rule; nil when the process trapped by itself.
    public let rule: String?

    /// - Parameters:
    ///   - status: How the process ended.
    ///   - log: What it wrote to standard error, or the end of it.
    public init(_ status: ExitStatus, log: String) {
        let lines = log.split(separator: "\n").map(String.init)
        if let (rule, reason) = lines.reversed().lazy.compactMap({ AppCrash.parse($0) }).first {
            self.rule = rule
            self.reason = "\(reason) (\(rule))"
            return
        }
        rule = nil
        let trap = lines.last { $0.contains("Fatal error: ") || $0.contains("Assertion failed: ") }
        reason = trap ?? "the process \(status)"
    }
}
