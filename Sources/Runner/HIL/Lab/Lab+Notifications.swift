import Phone
import Timing

/// Notifications that the phone forwards.
extension Lab {
    /// Posts a notification, and returns when the data provider is done with it.
    ///
    /// - Returns: Whether the accessory alerted, as its data provider told the phone.
    @discardableResult
    public func post(_ notification: PhoneNotification, within limit: Duration = .seconds(15)) async throws -> Bool {
        let mark = forwarding.mark
        phone.notifications.post(notification)
        return try await forwarding.next(.added(notification.identifier), since: mark, within: limit)
    }

    /// How often keys were exchanged, as the phone tells.
    public func exchanges(since mark: EventLog<ForwardingEvent>.Mark = .start) -> Int {
        forwarding.count(.keysExchanged, since: mark)
    }

    /// Records whether the capture holds none of these texts. Look as well for a text that must be in it, or this proves nothing.
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
