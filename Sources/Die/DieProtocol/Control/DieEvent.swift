import RadioModel

/// An event of the die.
package enum DieEvent: Sendable, Hashable, Codable {
    /// A phone connected or disconnected.
    case connected(DeviceAddress)
    case disconnected(DeviceAddress)
    /// The die's screen shows this number for comparison.
    case passkeyShown(UInt32)
    /// A phone was bonded.
    case bonded(DeviceAddress, Bond)
    /// A phone has opened the classic channel over this link.
    case bridged(ClassicLink)
    /// The first phone subscribed to the rolls, or the last unsubscribed.
    case rollSubscription(Bool)
    /// A station joined or left one of its networks.
    case stationJoined(ssid: String, DeviceAddress)
    case stationLeft(ssid: String, DeviceAddress)
    /// Keys were exchanged. The text is the name of the suite.
    case keysExchanged(cipherSuite: String)
    /// The die can be reached over the internet from now on, or no longer: it is connected to its relay or not.
    case reachedRelay(Bool)
    /// The phone no longer forwards notifications, and the keys are forgotten.
    case keysForgotten
    /// The screen changed. It shows these notifications now, oldest first.
    case screen([ShownNotification])
    /// The die alerted to a new notification.
    case alerted(DieAlert)
    /// A received message could not be opened or parsed.
    case refusedMessage(String)
}

/// The names in JSON for case values without a label.
extension DieEvent {
    enum DeviceKey: String, CodingKey { case _0 = "device" }
    enum SwitchKey: String, CodingKey { case _0 = "isOn" }
    enum StationKeys: String, CodingKey { case ssid, _1 = "station" }
    enum PasskeyShownCodingKeys: String, CodingKey { case _0 = "passkey" }
    enum BondedCodingKeys: String, CodingKey { case _0 = "device", _1 = "bond" }
    enum BridgedCodingKeys: String, CodingKey { case _0 = "link" }
    enum ScreenCodingKeys: String, CodingKey { case _0 = "notifications" }
    enum AlertedCodingKeys: String, CodingKey { case _0 = "alert" }
    enum RefusedMessageCodingKeys: String, CodingKey { case _0 = "why" }

    typealias ConnectedCodingKeys = DeviceKey
    typealias DisconnectedCodingKeys = DeviceKey
    typealias RollSubscriptionCodingKeys = SwitchKey
    typealias ReachedRelayCodingKeys = SwitchKey
    typealias StationJoinedCodingKeys = StationKeys
    typealias StationLeftCodingKeys = StationKeys
}
