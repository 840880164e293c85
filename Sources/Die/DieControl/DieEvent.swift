import RadioModel

/// What the die tells of itself.
package enum DieEvent: Sendable, Hashable, Codable {
    /// A phone connected or went.
    case connected(DeviceAddress)
    case disconnected(DeviceAddress)
    /// The number that the die's screen shows for comparison.
    case passkeyShown(UInt32)
    /// A phone was bonded.
    case bonded(DeviceAddress, Bond)
    /// A phone has the classic channel, over this link.
    case bridged(BridgeLink)
    /// A phone subscribed to the rolls, or unsubscribed.
    case rollSubscription(Bool)
    /// A station joined or left one of its networks.
    case stationJoined(ssid: String, DeviceAddress)
    case stationLeft(ssid: String, DeviceAddress)
    /// Keys were exchanged; the text names the suite.
    case keysExchanged(cipherSuite: String)
    /// It can be reached over the internet from now on, or not any more: its relay takes what is for it.
    case reachedRelay(Bool)
    /// The phone said that it forwards nothing any more: the keys are forgotten.
    case keysForgotten
    /// The screen changed: all the notifications that it shows now, oldest first.
    case screen([ShownNotification])
    /// It drew attention to a notification that was just added.
    case alerted(DieAlert)
    /// Something that was received did not open or did not parse.
    case refusedMessage(String)
}

/// What an event in JSON calls the values of its cases that have no label.
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
