import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the reference accessory, a Bluetooth die, behaves.
public struct DieConfiguration: Sendable, Hashable, Codable {
    /// What it answers to a pairing request.
    public enum Pairing: String, Sendable, Hashable, Codable {
        /// Compares the number and agrees (LE Secure Connections, numeric comparison).
        case accepts
        /// Answers `Pairing Failed`.
        case refuses
    }

    /// How keys for notifications are agreed on.
    public enum CipherSuite: String, Sendable, Hashable, Codable, CaseIterable {
        /// ML-KEM-768 and X25519 together.
        case xWing
        /// Diffie and Hellman's agreement on the curve P-256.
        case p256
    }

    /// What a die does wrong whose firmware is broken, or hostile, where notifications are forwarded to it.
    public enum Misbehaviour: String, Sendable, Hashable, Codable, CaseIterable {
        /// Offers a public key of a cipher suite that there is not.
        case offersUnknownSuite
        /// Offers a public key that ends too early.
        case offersShortKey
        /// Offers a public key that it does not keep, so that the phone encapsulates for another one.
        case offersAnotherKey
        /// Offers a key of P-256 and says that it can be reached over its network and the internet, too.
        case namesNetworkWithP256
        /// Sends what it has for the data provider a second time, the same bytes.
        case repeatsMessage
    }

    /// The advertised local name; what does not fit the packet is cut by the advertiser.
    public var name: String
    /// What it says of itself on the air beside the name.
    public var advertising: DieAdvertising
    public var pairing: Pairing
    /// Whether it has classic Bluetooth (BR/EDR) beside LE, with a channel that only a paired phone gets.
    public var isDualMode: Bool
    /// Whether its LE address is a private one that only paired phones resolve.
    public var hasPrivateAddress: Bool
    /// Networks that its access point opens when it is powered on; at most 2.
    public var networks: [NetworkConfiguration]
    /// The cipher suites that it has, the best first; at least one.
    public var cipherSuites: [CipherSuite]
    /// Where its maker's relay is, an IPv4 address in dotted form; nil for a die with no way into the internet.
    public var relay: String?
    /// What it does wrong, in this order, each once, and from then on nothing.
    public var misbehaviour: [Misbehaviour]

    public init(
        name: String, advertising: DieAdvertising = DieAdvertising(), pairing: Pairing = .accepts,
        isDualMode: Bool = false, hasPrivateAddress: Bool = false, networks: [NetworkConfiguration] = [],
        cipherSuites: [CipherSuite] = CipherSuite.allCases, relay: String? = nil, misbehaviour: [Misbehaviour] = []
    ) {
        self.relay = relay
        self.name = name
        self.advertising = advertising
        self.pairing = pairing
        self.isDualMode = isDualMode
        self.hasPrivateAddress = hasPrivateAddress
        self.networks = networks
        self.cipherSuites = cipherSuites
        self.misbehaviour = misbehaviour
    }
}

/// What a die says of itself on the air beside its name, which the scan response holds.
///
/// All of it, and the flags with 3 bytes, share one advertisement of 31 bytes (Core Specification 6.0, Vol 3, Part C, 11).
public struct DieAdvertising: Sendable, Hashable, Codable {
    /// The services that are listed; nil lists the die's own.
    public var serviceUUIDs: [BluetoothUUID]?
    /// Company identifier to the bytes after it.
    public var manufacturerData: [UInt16: Data]
    /// Service data by service UUID.
    public var serviceData: [BluetoothUUID: Data]
    /// Bluetooth SIG Assigned Numbers, 2.6; nil tells none.
    public var appearance: UInt16?
    /// Whether the transmit power is told.
    public var tellsTxPower: Bool

    /// By default what a die out of its box says: its service, and nothing else.
    public init(
        serviceUUIDs: [BluetoothUUID]? = nil, manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], appearance: UInt16? = nil, tellsTxPower: Bool = false
    ) {
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.appearance = appearance
        self.tellsTxPower = tellsTxPower
    }
}

/// A network that the accessory board's access point opens.
public struct NetworkConfiguration: Sendable, Hashable, Codable {
    public var ssid: String
    public var security: WiFiSecurity
    /// 8 to 63 characters; nil for an open network.
    public var passphrase: String?
    /// Whether a WPA2 network takes only stations that protect management frames (IEEE 802.11w); WPA3 always does.
    public var requiresProtectedManagement: Bool
    /// 1 to 13 of 2.4 GHz; 36, 40, 44, 48, 149, 153, 157, 161 or 165 of 5 GHz.
    /// All networks of a board share its one radio, and the radio's channel.
    public var channel: Int

    public init(
        ssid: String, security: WiFiSecurity, passphrase: String? = nil, requiresProtectedManagement: Bool = false,
        channel: Int = 1
    ) {
        self.channel = channel
        self.ssid = ssid
        self.security = security
        self.passphrase = passphrase
        self.requiresProtectedManagement = requiresProtectedManagement
    }
}

/// What the runner may ask of the die; as a person with the die in the hand would.
public enum DieCommand: Sendable, Hashable, Codable {
    /// Advertises, opens the GATT server and the networks. Result: `.address`, its own, when all of it is on the air.
    case powerOn(DieConfiguration)
    /// Off the air, keys and bonds kept. Result: `.done`.
    case powerOff
    /// Rolls: the face is notified to who subscribed. Result: `.done`.
    case roll(face: UInt8)
    /// Opens one more network. Result: `.done` when it beacons.
    case openNetwork(NetworkConfiguration)
    /// Result: `.done`.
    case closeNetwork(ssid: String)
    /// Starts an open network anew with another passphrase, 8 to 63 characters: who was on it is thrown out. Result: `.done`
    /// when it beacons again.
    case changePassphrase(ssid: String, to: String)
    /// Changes the answer to pairing requests from now on. Result: `.done`.
    case setPairing(DieConfiguration.Pairing)
    /// Takes another private address at once, as it would by itself after some minutes. Result: `.done`.
    case rotateAddress
    /// Silences it or not: whether it sounds when it alerts. Result: `.done`.
    case setSilenced(Bool)
    /// The person answers a notification that is on the screen. Result: `.done` when the answer is on its way.
    case respond(DieResponse)
}

/// What the person answers on the die's screen.
public struct DieResponse: Sendable, Hashable, Codable {
    /// The notification, by its app's bundle identifier and name for it.
    public var source: String
    public var notification: String
    /// One of its actions, by its app's name for it.
    public var action: String
    /// What the person enters; nil for an action that takes no text.
    public var text: String?

    public init(source: String, notification: String, action: String, text: String? = nil) {
        self.source = source
        self.notification = notification
        self.action = action
        self.text = text
    }
}

/// What the die tells of itself.
public enum DieEvent: Sendable, Hashable, Codable {
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
