import DieProtocol
import HIL

extension Die {
    /// Waits until it shows exactly the notifications with these names, oldest first.
    @discardableResult
    package func shows(
        _ names: [String], since mark: EventLog<DieEvent>.Mark = .start, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> [ShownNotification] {
        try await events.next(
            .screen(showing: names), since: mark, fileID: fileID, filePath: filePath, line: line)
    }

    /// How many times its screen has changed.
    package func screens(since mark: EventLog<DieEvent>.Mark = .start) -> Int { events.count(.screen, since: mark) }

    /// Whether it refused a message for a reason that contains `why`.
    package func refused(_ why: String, since mark: EventLog<DieEvent>.Mark = .start) -> Bool {
        events.contains(.refused(why), since: mark)
    }

    /// Its latest alert for the notification with this name; nil if there is none.
    package func alert(to identifier: String) -> DieAlert? { alerts.last { $0.notification == identifier } }

    /// The numbers that its screen showed for comparison.
    package var shownNumbers: [UInt32] { events.all(.passkeyShown) }

    /// Whether it was bonded.
    package var isBonded: Bool { events.contains(.bonded) }
}
