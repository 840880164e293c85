import Glibc

/// Reports changes of a file, or of the files in a folder: the kernel tells of them (inotify(7)).
package final class FileNews: Sendable {
    private let news: Descriptor

    /// Waits for a file that grows.
    package convenience init(of path: String) throws(SystemError) { try self.init(path, for: IN_MODIFY) }

    /// Waits for files that appear in a folder.
    package convenience init(inFolder path: String) throws(SystemError) {
        try self.init(path, for: IN_CREATE | IN_MOVED_TO)
    }

    /// - Parameter events: `IN_CREATE` and so on.
    package init(_ path: String, for events: Int32) throws(SystemError) {
        let raw = try valueOrErrno("inotify_init1", "watching \(path)") {
            inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        }
        news = Descriptor(adopting: raw)
        try valueOrErrno("inotify_add_watch", "watching \(path)") { inotify_add_watch(raw, path, UInt32(events)) }
    }

    /// Waits for news since the last call, at most this long. It blocks the thread.
    ///
    /// - Returns: Whether there are any.
    package func wait(milliseconds: Int32) -> Bool {
        var look = pollfd(fd: news.raw, events: Int16(POLLIN), revents: 0)
        guard poll(&look, 1, milliseconds) == 1 else { return false }
        _ = try? news.read()
        return true
    }

    /// Waits for news since the last call. There is no limit: cancel the task to end the wait.
    ///
    /// - Throws: ``SystemError`` or `CancellationError`.
    package func wait() async throws {
        try await waitUntilReady(news)
        _ = try? news.read()
    }
}
