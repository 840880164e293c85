import RadioModel

/// The status of a command, or the reason for the end of a link.
///
/// Source: Core Specification 6.0, Vol 1, Part F.
package struct HCIError: RawRepresentable, Error, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package var isSuccess: Bool { self == .success }

    /// Plain words with the code: `the connection timed out (0x08)`.
    package var description: String {
        "\(HCIError.texts[rawValue] ?? "an unknown error") (0x\(Hex.text([rawValue])))"
    }
}

extension HCIError {
    package static let success = HCIError(rawValue: 0x00)
    package static let unknownCommand = HCIError(rawValue: 0x01)
    package static let unknownConnection = HCIError(rawValue: 0x02)
    package static let hardwareFailure = HCIError(rawValue: 0x03)
    package static let pageTimeout = HCIError(rawValue: 0x04)
    package static let authenticationFailure = HCIError(rawValue: 0x05)
    package static let keyMissing = HCIError(rawValue: 0x06)
    package static let memoryFull = HCIError(rawValue: 0x07)
    package static let connectionTimeout = HCIError(rawValue: 0x08)
    package static let connectionLimit = HCIError(rawValue: 0x09)
    package static let connectionExists = HCIError(rawValue: 0x0B)
    package static let commandDisallowed = HCIError(rawValue: 0x0C)
    package static let limitedResources = HCIError(rawValue: 0x0D)
    package static let securityReasons = HCIError(rawValue: 0x0E)
    package static let unacceptableAddress = HCIError(rawValue: 0x0F)
    package static let acceptTimeout = HCIError(rawValue: 0x10)
    package static let unsupportedFeature = HCIError(rawValue: 0x11)
    package static let invalidParameters = HCIError(rawValue: 0x12)
    /// The peer's host ended the link; also this host's usual reason.
    package static let remoteUserEnded = HCIError(rawValue: 0x13)
    package static let remoteLowResources = HCIError(rawValue: 0x14)
    package static let remotePowerOff = HCIError(rawValue: 0x15)
    /// This host ended the link.
    package static let localHostEnded = HCIError(rawValue: 0x16)
    package static let repeatedAttempts = HCIError(rawValue: 0x17)
    package static let pairingNotAllowed = HCIError(rawValue: 0x18)
    package static let unsupportedRemoteFeature = HCIError(rawValue: 0x1A)
    package static let unspecified = HCIError(rawValue: 0x1F)
    package static let linkLayerTimeout = HCIError(rawValue: 0x22)
    package static let procedureCollision = HCIError(rawValue: 0x23)
    package static let instantPassed = HCIError(rawValue: 0x28)
    package static let unitKeyUnsupported = HCIError(rawValue: 0x29)
    package static let insufficientSecurity = HCIError(rawValue: 0x2F)
    package static let hostBusyPairing = HCIError(rawValue: 0x38)
    package static let controllerBusy = HCIError(rawValue: 0x3A)
    package static let unacceptableConnectionParameters = HCIError(rawValue: 0x3B)
    package static let advertisingTimeout = HCIError(rawValue: 0x3C)
    package static let integrityFailure = HCIError(rawValue: 0x3D)
    package static let notEstablished = HCIError(rawValue: 0x3E)
    package static let unknownAdvertisingSet = HCIError(rawValue: 0x42)
    package static let limitReached = HCIError(rawValue: 0x43)
    package static let cancelledByHost = HCIError(rawValue: 0x44)
}
