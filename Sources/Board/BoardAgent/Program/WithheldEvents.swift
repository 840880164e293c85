import BoardProtocol
import HILTiming
import Synchronization

/// The events of a program, kept until a client takes the program over.
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

    /// Passes on the kept events, and all later events directly.
    func release() {
        isReleased.withLock { isReleased in
            guard !isReleased else { return }
            isReleased = true
            kept.events.forEach(emit)
        }
    }

    /// Waits for a kept event.
    func wait(for isMatch: @escaping @Sendable (BoardEvent) -> Bool) async throws {
        _ = try await kept.first(from: 0, where: isMatch)
    }
}
