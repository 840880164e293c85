import BoardProtocol
import HILTiming
import Synchronization

/// The events of a program, which are kept until somebody asks for the program.
final class WithheldEvents: Sendable {
    private let emit: @Sendable (BoardEvent) -> Void
    private let isReleased = Mutex(false)
    private let kept = EventLog<BoardEvent>()

    /// - Parameter emit: Called in order, from any thread.
    init(_ emit: @escaping @Sendable (BoardEvent) -> Void) { self.emit = emit }

    /// Keeps an event, or passes it on.
    func tell(_ event: BoardEvent) {
        // Under the lock, so that no later event overtakes those that are being released.
        isReleased.withLock { isReleased in
            if isReleased { emit(event) } else { kept.append(event) }
        }
    }

    /// Passes on what was kept, and everything from now on.
    func release() {
        isReleased.withLock { isReleased in
            guard !isReleased else { return }
            isReleased = true
            kept.events.forEach(emit)
        }
    }

    /// Waits for an event that was kept.
    func wait(for isMatch: @escaping @Sendable (BoardEvent) -> Bool) async throws {
        _ = try await kept.first(from: 0, where: isMatch)
    }
}
