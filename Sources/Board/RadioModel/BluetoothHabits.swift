/// What a phone does on Bluetooth LE by itself, where phones differ. `hil learn` writes it from a capture.
///
/// Nil is an iPhone's value, for each property.
public struct BluetoothHabits: Sendable, Hashable, Codable {
    /// When a phone begins a procedure on a new link.
    public enum Moment: String, Sendable, Hashable, Codable {
        /// Not at all.
        case never
        /// As soon as the link is up.
        case connected
        /// On a link with a bond as soon as it is encrypted, otherwise as soon as it is up.
        case encrypted
    }

    /// How a phone looks for services with known UUIDs.
    public enum ServiceSearch: String, Sendable, Hashable, Codable {
        /// Reads all services by Read By Group Type.
        case all
        /// Asks for each UUID by Find By Type Value.
        case byUUID
    }

    /// When a phone subscribes to Service Changed by itself.
    public enum Subscription: String, Sendable, Hashable, Codable {
        /// Not at all.
        case never
        /// Once the accessory is paired.
        case whenBonded
        /// As soon as it has found it.
        case always
    }

    /// How packets are modulated (Core Specification 6.0, Vol 6, Part A, 3.2).
    public enum PHY: String, Sendable, Hashable, Codable {
        /// 1 Mbit/s, which each device has.
        case oneMegabit
        /// 2 Mbit/s.
        case twoMegabit
        /// 125 or 500 kbit/s, over long distances.
        case coded
    }

    /// How a phone listens for advertisements.
    public struct Scan: Sendable, Hashable, Codable {
        /// Milliseconds from the beginning of one scan to the next, 2.5 to 10240.
        public var interval: Double
        /// Milliseconds that a scan takes, at most `interval`.
        public var window: Double
        /// Whether it asks for scan responses.
        public var isActive: Bool

        /// - Parameters: As the properties.
        public init(interval: Double, window: Double, isActive: Bool = true) {
            (self.interval, self.window, self.isActive) = (interval, window, isActive)
        }
    }

    /// A frame that a phone sends before all others on a channel of L2CAP.
    public struct Greeting: Sendable, Hashable, Codable {
        /// The number of the channel.
        public var channel: UInt16
        /// At most 19 bytes; empty if the phone sends no such frame.
        public var bytes: [UInt8]

        /// - Parameters: As the properties.
        public init(channel: UInt16, bytes: [UInt8]) { (self.channel, self.bytes) = (channel, bytes) }

        /// The phone sends no such frame.
        public static let none = Greeting(channel: 0, bytes: [])
    }

    /// The parameters that it asks for when it connects.
    public var connection: ConnectionParameters?
    /// The parameters that it asks for by itself later, after about 5 s.
    public var settledConnection: ConnectionParameters?
    /// How it listens for an accessory to connect to.
    public var connectionScan: Scan?
    /// How it listens while an app looks for accessories.
    public var scan: Scan?
    /// The longest packet of the attribute protocol that it offers, in bytes: 23 to 65535.
    public var mtu: Int?
    /// When it exchanges the MTU.
    public var mtuMoment: Moment?
    /// The longest packet of the link layer that it asks for, in bytes: 27 to 251.
    public var dataLength: Int?
    /// The longest time of such a packet, in microseconds: 328 to 17040.
    public var dataLengthTime: Int?
    /// When it asks for long packets of the link layer.
    public var dataLengthMoment: Moment?
    /// The PHYs in its request.
    public var phys: Set<PHY>?
    /// When it asks for a PHY.
    public var phyMoment: Moment?
    /// When it reads the version of the accessory's controller.
    public var versionMoment: Moment?
    /// When it reads the features of the accessory's controller.
    public var featuresMoment: Moment?
    /// Its first frame.
    public var greeting: Greeting?
    /// What it says about itself when it pairs.
    public var pairing: PairingHabits?
    /// Whether it encrypts links to paired accessories at once, unasked.
    public var encryptsAtOnce: Bool?
    /// Whether it pairs when an accessory asks for security. If not, it ignores the request.
    public var pairsOnSecurityRequest: Bool?
    /// How it looks for an app's services.
    public var serviceSearch: ServiceSearch?
    /// Whether each request for further characteristics begins after the value of the last one, not after its
    /// declaration.
    public var continuesAfterValue: Bool?
    /// When it subscribes to Service Changed by itself.
    public var subscribesToServiceChanged: Subscription?
    /// Whether its address is private: only paired accessories can resolve it.
    public var hasPrivateAddress: Bool?
    /// How long it uses a private address.
    public var addressLifetime: Duration?

    /// An iPhone's habits.
    public init() {}
}

/// What a phone says about itself when it pairs (Core Specification 6.0, Vol 3, Part H, 3.5.1).
public struct PairingHabits: Sendable, Hashable, Codable {
    /// A key that one end gives to the other.
    public enum Key: String, Sendable, Hashable, Codable, CaseIterable {
        /// The key of the link, for legacy pairing.
        case encryption
        /// The key and the address by which it is known again.
        case identity
        /// The key of signed writes.
        case signing
        /// The key of a classic link, derived from the pairing.
        case link
    }

    /// What it can show and ask for.
    public var capability: PairingCapability
    /// Whether it keeps keys.
    public var bonds: Bool
    /// Whether it asks for protection against a man in the middle.
    public var authenticates: Bool
    /// Whether it supports LE Secure Connections.
    public var isSecure: Bool
    /// Whether it tells the accessory of keys that the person presses.
    public var tellsKeypresses: Bool
    /// Whether it supports the function h7.
    public var supportsH7: Bool
    /// The longest key, in bytes: 7 to 16.
    public var keySize: Int
    /// The keys that it wants to give.
    public var givenKeys: Set<Key>
    /// The keys that it wants to get.
    public var wantedKeys: Set<Key>

    /// - Parameters: As the properties.
    public init(
        capability: PairingCapability, bonds: Bool = true, authenticates: Bool = true, isSecure: Bool = true,
        tellsKeypresses: Bool = false, supportsH7: Bool = false, keySize: Int = 16, givenKeys: Set<Key>,
        wantedKeys: Set<Key>
    ) {
        (self.capability, self.bonds, self.authenticates, self.isSecure) = (capability, bonds, authenticates, isSecure)
        (self.tellsKeypresses, self.supportsH7, self.keySize) = (tellsKeypresses, supportsH7, keySize)
        (self.givenKeys, self.wantedKeys) = (givenKeys, wantedKeys)
    }
}
