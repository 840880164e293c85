import Glibc
import HILPOSIX
import HILTiming

/// Waits for files that other programs make.
enum FileWatch {
    /// Waits until the file exists. The kernel reports it; this does not poll.
    ///
    /// - Throws: `TimedOut`; ``HILPOSIX/SystemError``, for example if the file's folder does not exist.
    static func wait(for path: String, within limit: Duration) async throws {
        let folder = path[..<(path.lastIndex(of: "/") ?? path.endIndex)]
        let raw = try valueOrErrno("inotify_init1", "watching \(folder)") {
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        }
        let news = Descriptor(adopting: raw)
        try valueOrErrno("inotify_add_watch", "watching \(folder)") {
            inotify_add_watch(raw, String(folder), UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
        }
        try await withDeadline(limit, waitingFor: "the file \(path)") {
            while access(path, F_OK) != 0 {
                try await waitUntilReady(news)
                _ = try? news.read()
            }
        }
    }
}
