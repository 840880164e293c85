import DieControl
import HIL

extension Die {
    /// Waits until it shows the notifications of these names, oldest first, and no others.
    @discardableResult
    package func shows(
        _ names: [String], since mark: EventLog<DieEvent>.Mark = .start, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> [ShownNotification] {
        try await events.next(
            .screen(showing: names), since: mark, fileID: fileID, filePath: filePath, line: line)
    }

    /// How often what it shows has changed.
    package func screens(since mark: EventLog<DieEvent>.Mark = .start) -> Int { events.count(.screen, since: mark) }

    /// Whether it told that it refused something, for a reason that contains `why`.
    package func refused(_ why: String, since mark: EventLog<DieEvent>.Mark = .start) -> Bool {
        events.contains(.refused(why), since: mark)
    }

    /// How it alerted to the notification of this name; nil if it did not.
    package func alert(to identifier: String) -> DieAlert? { alerts.last { $0.notification == identifier } }

    /// The numbers that its screen showed for comparison.
    package var shownNumbers: [UInt32] { events.all(.passkeyShown) }

    /// Whether it told that it made a bond.
    package var isBonded: Bool { events.contains(.bonded) }
}
