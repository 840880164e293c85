import RadioModel

/// Why a device was not bridged to classic Bluetooth.
package enum BridgingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    case noClassicController
    /// The device has no bond.
    case notBonded
    /// The bond has no link key: the LE pairing derived none.
    case noKey
    /// The identity address of the bond is random. Only a public one is also an address of classic Bluetooth.
    case noPublicAddress(DeviceAddress)
    /// The controller refused a command, which is named.
    case refused(String, HCIError)
    /// The device did not answer the call, or refused it.
    case notConnected(HCIError)
    /// The two ends have different keys, or one of them has none.
    case notAuthenticated(HCIError)
    case notEncrypted(HCIError)
    /// The device, or its controller, switched the encryption off.
    case encryptionEnded
    /// The sizes are in bytes.
    case keyTooShort(Int, least: Int)
    case channel(psm: UInt16, L2CAPRefusal)
    /// The step was not done when all steps had taken so long.
    case timeout(BridgingStep, Duration)
    case linkLost(BridgingStep, HCIError)
    /// What the device did wrong, in words.
    case violation(String)
    /// The bond was deleted meanwhile.
    case forgotten

    package var description: String {
        switch self {
        case .noClassicController: "this phone's controller has no classic Bluetooth"
        case .notBonded: "the device is not paired by LE, so that there is no key for classic Bluetooth"
        case .noKey:
            "pairing gave no key for classic Bluetooth: the accessory's LE pairing distributes no link key"
        case .noPublicAddress(let address):
            "the identity address \(address) is random; classic Bluetooth needs a public one"
        case .refused(let command, let status): HCICommand.refusal(of: command, status)
        case .notConnected(let status): "no classic connection: \(status)"
        case .notAuthenticated(let status): "the key of the pairing did not authenticate the classic link: \(status)"
        case .notEncrypted(let status): "the classic link was not encrypted: \(status)"
        case .encryptionEnded: "the encryption of the classic link was switched off"
        case .keyTooShort(let size, let least):
            "the key of the classic link is too short: \(size) \(size == 1 ? "byte" : "bytes"); \(least) are needed"
        case .channel(let psm, let refusal): "the classic channel at PSM \(Hex.field(psm)) did not open: \(refusal)"
        case .timeout(let step, let limit): "\(step) was not done within \(limit.plainText)"
        case .linkLost(let step, let reason): "the classic link ended before \(step) was done: \(reason)"
        case .violation(let text): text
        case .forgotten: "the device was forgotten"
        }
    }
}

/// The steps of bridging, one after the other.
package enum BridgingStep: Sendable, Hashable, CustomStringConvertible {
    case connection, authentication, encryption, keySize, channel

    package var description: String {
        switch self {
        case .connection: "connecting by classic Bluetooth"
        case .authentication: "the authentication of the classic link"
        case .encryption: "the encryption of the classic link"
        case .keySize: "reading the size of the classic link's key"
        case .channel: "opening the classic channel"
        }
    }
}
