import HIL
import HILPOSIX
import HILPhone

/// The reason why a worker crashed, from its log.
package struct Crash: Sendable, Hashable {
    /// The reason in one line.
    package let reason: String
    /// The rule for whose violation the system ended the app; nil if the process crashed by itself.
    package let rule: String?

    /// - Parameters:
    ///   - status: How the process ended.
    ///   - log: Its standard error, or the end of it.
    package init(_ status: ExitStatus, log: String) {
        let lines = log.split(separator: "\n").map(String.init)
        let place = Crash.place(in: lines).map { ", at \($0)" } ?? ""
        if let (rule, reason) = lines.reversed().lazy.compactMap({ AppCrash.parse($0) }).first {
            self.rule = rule
            self.reason = "\(reason) (\(rule))\(place)"
            return
        }
        rule = nil
        let trap = lines.last { $0.contains("Fatal error: ") || $0.contains("Assertion failed: ") }
        // The trap itself names module and file, which is no path. The backtrace has the file.
        let text = place.isEmpty ? trap : trap?.replacing(#/^[^:]+\.swift:\d+: /#, with: "")
        reason = (text ?? "the process \(status)") + place
    }

    /// Where the phone's own sources were compiled, and those of the other frameworks.
    private static let frameworks = ["Phone", "Apps"].map { "\(HarnessSources.folder)\($0)/" }

    /// The innermost line of the backtrace in the app or the scenario, which is neither in Apple's frameworks nor in
    /// the standard library.
    private static func place(in lines: [String]) -> String? {
        for line in lines where !frameworks.contains(where: line.contains) {
            guard let match = line.firstMatch(of: /^ *\d+ .* at (\/.+):(\d+):\d+$/) else { continue }
            return "\(match.1.split(separator: "/").suffix(2).joined(separator: "/")):\(match.2)"
        }
        return nil
    }
}
