import Foundation

/// Ends the process where iOS would crash the app.
public enum AppCrash {
    /// The beginning of the line on standard error that tells the runner: the app crashed, not the harness.
    public static let prefix = "hil-app-crash: "

    /// Prints the reason on standard error, in one line, and aborts the process.
    ///
    /// - Parameters:
    ///   - rule: The rule that the app broke, such as `P2`.
    ///   - reason: What the app did, and how to fix it.
    public static func crash(_ rule: String, _ reason: String) -> Never {
        let line = "\(prefix)\(rule) \(reason.replacing("\n", with: " "))\n"
        FileHandle.standardError.write(Data(line.utf8))
        abort()
    }

    /// Reads a line of standard error; nil if it does not report an app's crash.
    public static func parse(_ line: String) -> (rule: String, reason: String)? {
        guard line.hasPrefix(prefix) else { return nil }
        let parts = line.dropFirst(prefix.count).split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), parts[1].trimmingCharacters(in: .newlines))
    }
}
