import RadioModel

/// A command of the Security Manager Protocol.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 3.5 and 3.6.
package enum SMPCommand: Sendable, Hashable {
    case pairingRequest(PairingParameters)
    case pairingResponse(PairingParameters)
    case pairingConfirm(Value128)
    case pairingRandom(Value128)
    case pairingFailed(PairingFailure)
    /// A long-term key of legacy pairing.
    case encryptionInformation(Value128)
    /// The numbers by which a central names that key: EDIV and Rand.
    case centralIdentification(ediv: UInt16, rand: UInt64)
    /// An identity resolving key.
    case identityInformation(Value128)
    case identityAddressInformation(PeerAddress)
    /// A connection signature resolving key.
    case signingInformation(Value128)
    case securityRequest(AuthenticationRequirements)
    case publicKey(PairingPublicKey)
    case dhKeyCheck(Value128)
    case keypressNotification(Keypress)

    /// What a person does while she enters a passkey. Source: Core Specification 6.0, Vol 3, Part H, 3.5.8.
    package enum Keypress: UInt8, Sendable, Hashable, CaseIterable {
        case entryStarted = 0
        case digitEntered = 1
        case digitErased = 2
        case cleared = 3
        case entryCompleted = 4
    }

    /// The first byte of a command.
    package enum Code: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
        case pairingRequest = 0x01
        case pairingResponse = 0x02
        case pairingConfirm = 0x03
        case pairingRandom = 0x04
        case pairingFailed = 0x05
        case encryptionInformation = 0x06
        case centralIdentification = 0x07
        case identityInformation = 0x08
        case identityAddressInformation = 0x09
        case signingInformation = 0x0A
        case securityRequest = 0x0B
        case publicKey = 0x0C
        case dhKeyCheck = 0x0D
        case keypressNotification = 0x0E

        /// The command's name in the specification: `Pairing Request`.
        package var description: String {
            switch self {
            case .pairingRequest: "Pairing Request"
            case .pairingResponse: "Pairing Response"
            case .pairingConfirm: "Pairing Confirm"
            case .pairingRandom: "Pairing Random"
            case .pairingFailed: "Pairing Failed"
            case .encryptionInformation: "Encryption Information"
            case .centralIdentification: "Central Identification"
            case .identityInformation: "Identity Information"
            case .identityAddressInformation: "Identity Address Information"
            case .signingInformation: "Signing Information"
            case .securityRequest: "Security Request"
            case .publicKey: "Pairing Public Key"
            case .dhKeyCheck: "Pairing DHKey Check"
            case .keypressNotification: "Pairing Keypress Notification"
            }
        }
    }

    package var code: Code {
        switch self {
        case .pairingRequest: .pairingRequest
        case .pairingResponse: .pairingResponse
        case .pairingConfirm: .pairingConfirm
        case .pairingRandom: .pairingRandom
        case .pairingFailed: .pairingFailed
        case .encryptionInformation: .encryptionInformation
        case .centralIdentification: .centralIdentification
        case .identityInformation: .identityInformation
        case .identityAddressInformation: .identityAddressInformation
        case .signingInformation: .signingInformation
        case .securityRequest: .securityRequest
        case .publicKey: .publicKey
        case .dhKeyCheck: .dhKeyCheck
        case .keypressNotification: .keypressNotification
        }
    }
}
