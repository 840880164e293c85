import Foundation
import HILPOSIX
import HILPhone

/// Detects in a worker's log that it crashes, before the process has ended: Swift's runtime writes the reason at once,
/// and then takes seconds for the backtrace.
struct CrashWatch: Sendable {
    private static let interval = Duration.milliseconds(100)
    /// How much of the log is looked at each time, in bytes.
    private static let window = 1 << 16

    /// The path of the log.
    let log: String

    /// Waits for a crash.
    ///
    /// - Returns: Its reason in one line; nil if the task is cancelled before.
    func reason() async -> String? {
        var place = 0
        while (try? await Task.sleep(for: CrashWatch.interval)) != nil {
            guard let file = FileHandle(forReadingAtPath: log) else { continue }
            defer { try? file.close() }
            let size = Int((try? file.seekToEnd()) ?? 0)
            guard size > place else { continue }
            // A line may have been half written the last time.
            let start = max(0, max(place - 1024, size - CrashWatch.window))
            try? file.seek(toOffset: UInt64(start))
            let text = String(decoding: (try? file.read(upToCount: CrashWatch.window)) ?? Data(), as: UTF8.self)
            if let reason = CrashWatch.reason(in: text) { return reason }
            place = size
        }
        return nil
    }

    /// The line that Swift's runtime or the phone writes when a process ends by itself; nil if there is none.
    static func reason(in text: String) -> String? {
        for line in text.split(separator: "\n") {
            if let (rule, reason) = AppCrash.parse(String(line)) { return "\(reason) (\(rule))" }
            let isCrash =
                line.contains("Fatal error: ") || line.contains("Assertion failed: ")
                || line.contains("*** Program crashed: ") || line.prefixMatch(of: #/\*\*\* Signal \d+: /#) != nil
            if isCrash { return PlainText.line(PlainText.cut(String(line), to: 300)) }
        }
        return nil
    }
}
