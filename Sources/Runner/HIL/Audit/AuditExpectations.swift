import RadioModel

/// What an accessory means to allow, for `hil audit`. What it allows beyond that is a breach.
public struct AuditExpectations: Sendable {
    /// Whom strangers attack.
    public enum Target: String, Sendable {
        /// The accessory that the scenario sets up.
        case accessory
        /// The phone, whose app is a peripheral: what the app publishes, what the phone itself serves, and how it pairs. The
        /// app still advertises when the scenario's body has ended.
        case phone
    }

    /// What its person sees and can do when somebody pairs.
    public enum Display: String, Sendable {
        /// It shows nothing. Anybody near can pair while it is pairable.
        case nothing
        /// It shows a number.
        case number
        /// Its person enters a number.
        case keyboard
    }

    /// When a set-up accessory pairs with somebody else.
    public enum Pairable: String, Sendable {
        /// With nobody, until a factory reset.
        case never
        /// After an act of its person, such as a button.
        case afterButton
        /// With everybody, at any time.
        case always
    }

    /// A port that the accessory serves on its own network or in the home's.
    public struct Port: Sendable, Hashable {
        let transport: InternetTransport
        let number: UInt16

        /// A port for streams.
        public static func tcp(_ number: UInt16) -> Port { Port(transport: .tcp, number: number) }
        /// A port for datagrams.
        public static func udp(_ number: UInt16) -> Port { Port(transport: .udp, number: number) }
    }

    let target: Target
    var open: Set<String>
    var signed: Set<String>
    var display: Display
    var pairsWhenSetUp: Pairable
    var ports: Set<Port>
    var accepted: [String: String]
    var reset: (@MainActor @Sendable (Lab) async throws -> Void)?
    /// Whether somebody has said what is meant.
    private(set) var isDeclared = true

    /// - Parameters:
    ///   - target: Whom strangers attack.
    ///   - open: The characteristics that anybody may use, by UUID: `["2A19"]`. Those that every accessory has are
    ///     always open: of Generic Access, Generic Attribute, and Device Information.
    ///   - signed: The characteristics, by UUID, to which anybody may write and that obey their owner alone: an app signs each
    ///     command, another one each time. A repeated one that is obeyed is a breach.
    ///   - display: What its person sees.
    ///   - pairsWhenSetUp: When it pairs once it is set up.
    ///   - ports: The ports that it serves on its own network and in the home's. That of the DHCP server of its own network
    ///     is always open.
    ///   - accepted: Breaches that are meant, by the names of their controls, with the reason:
    ///     `["pairing.debugKey": "the kernel keeps no such key"]`.
    ///   - reset: How its person restores its factory state; nil for the hook ``AccessoryHooks/Name/factoryReset``, if the
    ///     accessory has it.
    public init(
        of target: Target = .accessory, open: Set<String> = [], signed: Set<String> = [],
        shows display: Display = .nothing, pairsWhenSetUp: Pairable = .never, ports: Set<Port> = [],
        accepting accepted: [String: String] = [:], reset: (@MainActor @Sendable (Lab) async throws -> Void)? = nil
    ) {
        (self.target, self.open, self.signed, self.display, self.ports) = (target, open, signed, display, ports)
        (self.pairsWhenSetUp, self.accepted, self.reset) = (pairsWhenSetUp, accepted, reset)
    }

    /// Those of a device that nobody here has made.
    static let undeclared = {
        var expectations = AuditExpectations(shows: .number)
        expectations.isDeclared = false
        return expectations
    }()

    /// Whether anybody may use a characteristic.
    func opens(_ uuid: BluetoothUUID) -> Bool { open.contains { BluetoothUUID($0) == uuid } }

    /// Whether a characteristic takes its owner's signed commands from anybody.
    func signs(_ uuid: BluetoothUUID) -> Bool { signed.contains { BluetoothUUID($0) == uuid } }
}

extension AuditExpectations.Port: CustomStringConvertible, Comparable {
    /// `TCP 80`.
    public var description: String { "\(transport.rawValue.uppercased()) \(number)" }

    public static func < (one: Self, other: Self) -> Bool {
        (one.transport.rawValue, one.number) < (other.transport.rawValue, other.number)
    }
}

extension ScenarioTrait {
    /// Says what the scenario's accessory, or its app as a peripheral, means to allow, for `hil audit`.
    public static func audits(_ expectations: AuditExpectations) -> ScenarioTrait {
        ScenarioTrait(kind: .audits(expectations))
    }
}
