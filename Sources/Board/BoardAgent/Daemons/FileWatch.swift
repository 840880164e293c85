import Glibc
import HILPOSIX
import HILTiming

/// Waits for files that other programs make.
enum FileWatch {
    /// Waits until the file exists. The kernel reports it; this does not poll.
    ///
    /// - Throws: `TimedOut`; ``HILPOSIX/SystemError``, for example if the file's folder does not exist.
    static func wait(for path: String, within limit: Duration) async throws {
        let news = try FileNews(inFolder: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        try await withDeadline(limit, waitingFor: "the file \(path)") {
            while access(path, F_OK) != 0 { try await news.wait() }
        }
    }
}
