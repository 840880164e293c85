import Glibc
import HILPOSIX
import HILTiming

/// Waits until a condition holds for the files of a folder. It looks now, and again when the kernel tells of a change of
/// one of them.
///
/// - Parameters:
///   - what: What is awaited, as a noun phrase for the error: `the rig's folder to be removed`.
///   - folder: The folder. If there is none, only the first look counts.
///   - limit: How long to wait, by the wall clock.
///   - holds: Whether the condition holds now.
/// - Throws: `TimedOut`; ``HILPOSIX/SystemError`` if the folder cannot be watched; `CancellationError`.
public func waitForFiles(
    _ what: String, in folder: String, within limit: Duration = .seconds(300),
    until holds: @escaping @Sendable () -> Bool
) async throws {
    let events = IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF
    let news: FileNews
    do { news = try FileNews(folder, for: events) } catch {
        guard holds() else { throw error }
        return
    }
    try await withDeadline(limit, waitingFor: what) { while !holds() { try await news.wait() } }
}
