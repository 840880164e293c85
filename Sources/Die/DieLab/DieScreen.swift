import DieControl
import HIL
import Synchronization
import Timing

/// The screen of a die: the notifications that it shows.
public final class DieScreen: Sendable {
    private struct Place {
        var next = 0
        var seen: [ShownNotification] = []
        var news: [ShownNotification] = []
    }

    let link: DieLink
    private let place = Mutex(Place())

    init(_ link: DieLink) { self.link = link }

    /// All that it shows now, oldest first.
    public var shown: [ShownNotification] {
        for case .screen(let shown) in link.events.events.reversed() { return shown }
        return []
    }

    /// The next notification that appears or changes, in order: each is given once, however late this is called.
    ///
    /// - Throws: ``Timing/TimedOut``, or ``RadioModel/RadioError/rig(_:)`` when the die's board is lost.
    public func next(
        within limit: Duration, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> ShownNotification {
        try await link.call(fileID: fileID, filePath: filePath, line: line) {
            try await change(within: limit)
        }
    }

    private func change(within limit: Duration) async throws -> ShownNotification {
        try await withDeadline(limit, waitingFor: "the die to show a notification") {
            while true {
                if let news = self.place.withLock({ $0.news.isEmpty ? nil : $0.news.removeFirst() }) { return news }
                let (event, next) = try await self.link.events.first(
                    from: self.place.withLock { $0.next }, within: limit, waitingFor: "the die to show a notification")
                self.place.withLock { place in
                    place.next = next
                    guard case .screen(let shown) = event else { return }
                    place.news += shown.filter { !place.seen.contains($0) }
                    place.seen = shown
                }
            }
        }
    }
}
