import RadioModel

/// The reason in a Pairing Failed command.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 3.5.5.
package struct PairingFailure: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let passkeyEntryFailed = PairingFailure(rawValue: 0x01)
    package static let outOfBandNotAvailable = PairingFailure(rawValue: 0x02)
    package static let authenticationRequirements = PairingFailure(rawValue: 0x03)
    package static let confirmValueFailed = PairingFailure(rawValue: 0x04)
    package static let pairingNotSupported = PairingFailure(rawValue: 0x05)
    package static let encryptionKeySize = PairingFailure(rawValue: 0x06)
    package static let commandNotSupported = PairingFailure(rawValue: 0x07)
    package static let unspecifiedReason = PairingFailure(rawValue: 0x08)
    package static let repeatedAttempts = PairingFailure(rawValue: 0x09)
    package static let invalidParameters = PairingFailure(rawValue: 0x0A)
    package static let dhKeyCheckFailed = PairingFailure(rawValue: 0x0B)
    package static let numericComparisonFailed = PairingFailure(rawValue: 0x0C)
    package static let classicPairingInProgress = PairingFailure(rawValue: 0x0D)
    package static let crossTransportNotAllowed = PairingFailure(rawValue: 0x0E)
    package static let keyRejected = PairingFailure(rawValue: 0x0F)
    package static let busy = PairingFailure(rawValue: 0x10)

    /// The name in the specification; nil for a reserved value.
    package var name: String? { text?.name }

    /// The name and its meaning: `Confirm Value Failed (0x04): the confirm value does not match the random number`.
    package var description: String {
        let number = "0x\(Hex.text([rawValue]))"
        guard let text else { return "reserved reason \(number)" }
        return "\(text.name) (\(number)): \(text.meaning)"
    }

    private var text: (name: String, meaning: String)? {
        switch self {
        case .passkeyEntryFailed: ("Passkey Entry Failed", "the passkey was not entered")
        case .outOfBandNotAvailable: ("OOB Not Available", "the out-of-band data is missing")
        case .authenticationRequirements:
            ("Authentication Requirements", "the ends cannot pair as securely as one of them requires")
        case .confirmValueFailed: ("Confirm Value Failed", "the confirm value does not match the random number")
        case .pairingNotSupported: ("Pairing Not Supported", "the device does not pair")
        case .encryptionKeySize: ("Encryption Key Size", "the key would be too short")
        case .commandNotSupported: ("Command Not Supported", "the device does not support the command")
        case .unspecifiedReason: ("Unspecified Reason", "no reason is given")
        case .repeatedAttempts: ("Repeated Attempts", "the last attempt was too short ago")
        case .invalidParameters: ("Invalid Parameters", "the command's length or a value in it is invalid")
        case .dhKeyCheckFailed: ("DHKey Check Failed", "the ends did not agree on the same secret")
        case .numericComparisonFailed: ("Numeric Comparison Failed", "the person saw different numbers")
        case .classicPairingInProgress: ("BR/EDR Pairing in Progress", "the devices are pairing over BR/EDR")
        case .crossTransportNotAllowed:
            ("Cross-transport Key Derivation/Generation Not Allowed", "no key of the other transport may be derived")
        case .keyRejected: ("Key Rejected", "the device did not accept a distributed key")
        case .busy: ("Busy", "the device cannot pair at the moment")
        default: nil
        }
    }
}
