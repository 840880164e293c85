import DieProtocol
import HIL
import HILTiming
import Synchronization

/// The screen of a die: the notifications that it shows.
package final class DieScreen: Sendable {
    private struct Place {
        var next = EventLog<DieEvent>.Mark.start
        var seen: [ShownNotification] = []
        var news: [ShownNotification] = []
    }

    let link: AccessoryLink<DieCall, DieEvent>
    private let place = Mutex(Place())

    init(_ link: AccessoryLink<DieCall, DieEvent>) { self.link = link }

    /// The notifications that it shows now, oldest first.
    package var shown: [ShownNotification] { link.events.last(.screen) ?? [] }

    /// Waits for the next notification that appears or changes. Each is returned once, in order, however late this is
    /// called.
    ///
    /// - Parameter limit: The longest wait; nil for the rest of the step's time, or 10 s outside of a step.
    /// - Throws: ``HILTiming/TimedOut``; ``RadioModel/RadioError/rig(_:)`` if the die's board is lost.
    package func next(
        within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> ShownNotification {
        try await link.call(fileID: fileID, filePath: filePath, line: line) {
            try await change(within: limit)
        }
    }

    private func change(within limit: Duration?) async throws -> ShownNotification {
        try await SharedDeadline.wait(for: "the die to show a notification", within: limit) {
            while true {
                if let news = self.place.withLock({ $0.news.isEmpty ? nil : $0.news.removeFirst() }) { return news }
                let mark = self.place.withLock { $0.next }
                let (shown, next) = try await self.link.events.first(.screen, since: mark)
                self.place.withLock { place in
                    place.next = next
                    place.news += shown.filter { !place.seen.contains($0) }
                    place.seen = shown
                }
            }
        }
    }
}
