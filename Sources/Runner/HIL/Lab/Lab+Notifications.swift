import HILPhone
import HILTiming

/// Posting notifications on the phone, and checking how they were forwarded.
extension Lab {
    /// Posts a notification, and returns when the data provider has finished with it.
    ///
    /// - Parameter limit: How long to wait for the data provider.
    /// - Returns: Whether the accessory alerted, as its data provider reported to the phone.
    /// - Throws: `TimedOut`.
    @discardableResult
    public func post(_ notification: PhoneNotification, within limit: Duration = .seconds(15)) async throws -> Bool {
        let mark = forwarding.mark
        phone.notifications.post(notification)
        return try await forwarding.next(.added(notification.identifier), since: mark, within: limit)
    }

    /// How often phone and accessory exchanged keys since a mark.
    public func exchanges(since mark: EventLog<ForwardingEvent>.Mark = .start) -> Int {
        forwarding.count(.keysExchanged, since: mark)
    }

    /// Records for each of these texts whether it is missing from the capture.
    ///
    /// This proves something only if the scenario also looks for a text that must be in the capture.
    ///
    /// - Throws: `RigFailure` if the capture cannot be read; `RigLacks` if this rig captures nothing.
    public func expectSecret(
        _ secrets: String..., fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        for secret in secrets {
            expect(
                !(try await air.captured(containing: secret)), "“\(secret)” is nowhere in the capture", fileID: fileID,
                filePath: filePath, line: line)
        }
    }
}
