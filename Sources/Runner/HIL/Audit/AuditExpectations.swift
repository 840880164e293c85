import RadioModel

/// What an accessory means to allow, for `hil audit`. What it allows beyond that is a breach.
public struct AuditExpectations: Sendable {
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

    var open: Set<String>
    var display: Display
    var pairsWhenSetUp: Pairable
    var accepted: [String: String]
    var reset: (@MainActor @Sendable (Lab) async throws -> Void)?

    /// - Parameters:
    ///   - open: The characteristics that anybody may use, by UUID: `["2A19"]`. Those that every accessory has are
    ///     always open: of Generic Access, Generic Attribute, and Device Information.
    ///   - shows: What its person sees.
    ///   - pairsWhenSetUp: When it pairs once it is set up.
    ///   - accepting: Breaches that are meant, by the names of their controls, with the reason:
    ///     `["pairing.debugKey": "the kernel keeps no such key"]`.
    ///   - reset: How its person restores its factory state; nil for the hook ``AccessoryHooks/Name/factoryReset``, if the
    ///     accessory has it.
    public init(
        open: Set<String> = [], shows display: Display = .nothing,
        pairsWhenSetUp: Pairable = .never, accepting accepted: [String: String] = [:],
        reset: (@MainActor @Sendable (Lab) async throws -> Void)? = nil
    ) {
        (self.open, self.display) = (open, display)
        (self.pairsWhenSetUp, self.accepted, self.reset) = (pairsWhenSetUp, accepted, reset)
    }

    /// Whether anybody may use a characteristic.
    func opens(_ uuid: BluetoothUUID) -> Bool { open.contains { BluetoothUUID($0) == uuid } }
}

extension ScenarioTrait {
    /// Says what the scenario's accessory means to allow, for `hil audit`.
    public static func audits(_ expectations: AuditExpectations) -> ScenarioTrait {
        ScenarioTrait(kind: .audits(expectations))
    }
}
