import RadioModel

/// How a pairing failed, or an attempt to start one.
package struct PairingEnd: Sendable, Hashable, CustomStringConvertible {
    /// What ended it.
    package enum Cause: Sendable, Hashable, CustomStringConvertible {
        /// One end told the other this reason.
        case refused(PairingFailure)
        /// The person did not want to go on.
        case cancelled
        /// The peer or the person took too long. The link does not pair again. Source: Core Specification 6.0, Vol 3,
        /// Part H, 3.4.
        case timeout
        case linkLost
        /// The controllers did not encrypt the link: an error code of Vol 1, Part F.
        case encryptionFailed(status: UInt8)

        package var description: String {
            switch self {
            case .refused(let reason): reason.description
            case .cancelled: "the person cancelled"
            case .timeout: "time ran out"
            case .linkLost: "the link was lost"
            case .encryptionFailed(let status): "the link was not encrypted, error 0x\(Hex.text([status]))"
            }
        }
    }

    /// Who ended it.
    package enum Side: String, Sendable, Hashable {
        case local = "this device"
        case peer = "the peer"
        case link = "the link"
    }

    package var cause: Cause
    package var side: Side
    /// What was going on.
    package var step: PairingStep
    /// What the peer did, or what is missing, in plain words; empty if the cause says all.
    package var detail: String

    package init(_ cause: Cause, by side: Side, while step: PairingStep, detail: String = "") {
        self.cause = cause
        self.side = side
        self.step = step
        self.detail = detail
    }

    package var description: String { "pairing failed: \(reason)" }

    /// `Pairing Not Supported (0x05), by the peer, while waiting for the peer's Pairing Response`.
    package var reason: String {
        let why = detail.isEmpty ? "\(cause)" : "\(cause) (\(detail))"
        return "\(why), by \(side.rawValue), while \(step.rawValue)"
    }
}

/// What a pairing is doing, in words that follow “while”.
package enum PairingStep: String, Sendable, Hashable, CaseIterable {
    case idle = "no pairing was going on"
    case askingForSecurity = "waiting for the central after a Security Request"
    case response = "waiting for the peer's Pairing Response"
    case consent = "asking the person"
    case publicKey = "waiting for the peer's public key"
    case passkey = "waiting for the passkey"
    case confirm = "waiting for the peer's confirm value"
    case random = "waiting for the peer's random number"
    case comparison = "waiting for the person's comparison"
    case check = "waiting for the peer's DHKey check"
    case encryption = "the link was being encrypted"
    case keys = "waiting for the peer's keys"

    /// Whether the person is asked.
    package var waitsForPerson: Bool { self == .consent || self == .passkey || self == .comparison }
}
