import Foundation

/// The end of the process where iOS would crash the app.
public enum AppCrash {
    /// Starts the line on standard error by which the runner knows a crash of the app from a crash of its own.
    public static let prefix = "hil-app-crash: "

    /// Says why on standard error, in one line, and aborts the process.
    ///
    /// - Parameters:
    ///   - rule: The rule that was broken: `P2`.
    ///   - reason: What the app did, and how to mend it.
    public static func crash(_ rule: String, _ reason: String) -> Never {
        let line = "\(prefix)\(rule) \(reason.replacing("\n", with: " "))\n"
        FileHandle.standardError.write(Data(line.utf8))
        abort()
    }

    /// The rule and the reason, if a line of standard error tells of an app's crash.
    public static func parse(_ line: String) -> (rule: String, reason: String)? {
        guard line.hasPrefix(prefix) else { return nil }
        let parts = line.dropFirst(prefix.count).split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), parts[1].trimmingCharacters(in: .newlines))
    }
}
