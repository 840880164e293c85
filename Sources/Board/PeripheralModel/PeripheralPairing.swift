import RadioModel

/// How an accessory pairs.
public struct PeripheralPairing: Sendable, Hashable, Codable {
    /// The person's answer to a question of the accessory: whether the numbers are equal, or whether to pair at all.
    package enum Answer: String, Sendable, Hashable, Codable {
        /// Its person says yes at once.
        case accepts
        /// Its person says no at once.
        case refuses
        /// The scenario answers with ``RunningPeripheral/answerPairing(_:)``.
        case waits
    }

    /// Its input and output capability. Together with the phone's, it decides the pairing method.
    package var capability: PairingCapability
    /// Whether it pairs at all; false answers `Pairing Not Supported`.
    package var isAllowed: Bool
    /// Whether it has LE Secure Connections; false for legacy pairing only.
    public var hasSecureConnections: Bool
    package var answer: Answer
    /// Whether it asks every phone to pair as soon as it connects, without waiting until the phone needs to.
    public var asksWhenConnected: Bool

    package init(
        capability: PairingCapability = .displayYesNo, isAllowed: Bool = true, hasSecureConnections: Bool = true,
        answer: Answer = .accepts, asksWhenConnected: Bool = false
    ) {
        self.asksWhenConnected = asksWhenConnected
        self.capability = capability
        self.isAllowed = isAllowed
        self.hasSecureConnections = hasSecureConnections
        self.answer = answer
    }

    /// Both show a number, and the people compare.
    public static let numericComparison = PeripheralPairing()
    /// The accessory shows a number, and the person enters it on the phone.
    public static let showsPasskey = PeripheralPairing(capability: .displayOnly)
    /// The phone shows a number, and the person enters it on the accessory: ``RunningPeripheral/enterPasskey(_:)``.
    public static let entersPasskey = PeripheralPairing(capability: .keyboardOnly)
    /// Nobody compares anything.
    public static let justWorks = PeripheralPairing(capability: .noInputNoOutput)
    @available(
        *, unavailable,
        message: "an iPhone takes no out-of-band pairing data: its pairing request says so"
    )
    public static var outOfBand: PeripheralPairing { .numericComparison }
    /// It does not pair.
    public static let none = PeripheralPairing(capability: .noInputNoOutput, isAllowed: false)

    /// The same with legacy pairing only.
    public var legacy: PeripheralPairing {
        var pairing = self
        pairing.hasSecureConnections = false
        return pairing
    }
}
