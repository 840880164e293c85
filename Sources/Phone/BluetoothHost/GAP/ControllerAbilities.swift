import RadioModel

/// What of a controller matters to GAP.
package struct ControllerAbilities: Sendable, Hashable {
    /// Whether all advertising, scans and connections go by extended commands. A host must not mix both kinds.
    ///
    /// Source: Core Specification 6.0, Vol 4, Part E, 3.1.1.
    package var usesExtendedCommands = false
    /// Whether it scans while it connects.
    package var scansWhileConnecting = false
    /// Whether it advertises while it connects.
    package var advertisesWhileConnecting = false

    package init() {}

    /// - Parameter allowsExtended: Whether this phone uses extended commands where the controller has them.
    package init(_ information: ControllerInformation, allowsExtended: Bool = true) {
        usesExtendedCommands =
            allowsExtended && information.features.contains(.extendedAdvertising)
            && ControllerAbilities.extendedCommands.allSatisfy { information.supportedCommands.contains($0) }
        scansWhileConnecting = information.states.contains(.activeScanWithInitiating)
        advertisesWhileConnecting = information.states.contains(.connectableAdvertisingWithInitiating)
    }

    private static let extendedCommands: [HCIOpcode] = [
        .leSetAdvertisingSetRandomAddress, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData,
        .leSetExtendedScanResponseData, .leSetExtendedAdvertisingEnable, .leSetExtendedScanParameters,
        .leSetExtendedScanEnable, .leExtendedCreateConnection,
    ]
}

extension PeerAddress {
    /// How commands name this address of the host itself.
    var ownAddress: OwnAddress { isRandom ? .random : .publicAddress }
}

extension HCICommand {
    /// Plain words for a refusal: `the controller refused LE Set Scan Enable: the controller is busy (0x3A)`.
    static func refusal(of command: String, _ status: HCIError) -> String {
        "the controller refused \(command): \(status)"
    }
}
