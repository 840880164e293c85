import RadioModel

/// Why a channel did not open.
package struct L2CAPRefusal: Sendable, Hashable, CustomStringConvertible {
    /// The meaning of a result code, or what else ended the attempt.
    package enum Reason: Sendable, Hashable {
        /// Nothing listens at this PSM.
        case portNotSupported
        case noResources
        case insufficientAuthentication
        case insufficientAuthorization
        case keyTooShort
        case insufficientEncryption
        /// A classic link is not protected well enough.
        case securityBlock
        case invalidSource
        case sourceInUse
        case unacceptableParameters
        case invalidParameters
        /// A result code without a meaning in the specification.
        case unknownResult
        /// The answer was a Command Reject; the code is its reason.
        case commandRejected
        /// The ends of a classic channel found no configuration for both; the code is the result of the last answer.
        case configurationFailed
        case noAnswer
        case closedByPeer
        /// ``L2CAPLink/close(_:at:)`` was called before.
        case cancelled
        case linkEnded
        /// The peer's answer has a forbidden value.
        case violation
    }

    package var reason: Reason
    /// The result code of the answer; nil without an answer of the peer.
    package var code: UInt16?
    /// More words about the peer's mistake; empty if the reason says all.
    package var detail: String

    init(_ reason: Reason, code: UInt16? = nil, detail: String = "") {
        self.reason = reason
        self.code = code
        self.detail = detail
    }

    /// The meaning of a result code other than success.
    init(result: UInt16, on transport: L2CAPLink.Transport) {
        self.init(Reason.results(on: transport)[result] ?? .unknownResult, code: result)
    }

    package var description: String {
        let result = code.map { " (\(Hex.field($0)))" } ?? ""
        return reason.text + result + (detail.isEmpty ? "" : ": \(detail)")
    }
}

extension L2CAPRefusal.Reason {
    /// The result codes of a Connection Response, or of the credit-based ones.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part A, 4.3, table 4.6; 4.23, table 4.18; 4.26, table 4.19.
    static func results(on transport: L2CAPLink.Transport) -> [UInt16: L2CAPRefusal.Reason] {
        switch transport {
        case .le:
            [
                0x0002: .portNotSupported, 0x0004: .noResources, 0x0005: .insufficientAuthentication,
                0x0006: .insufficientAuthorization, 0x0007: .keyTooShort, 0x0008: .insufficientEncryption,
                0x0009: .invalidSource, 0x000A: .sourceInUse, 0x000B: .unacceptableParameters,
                0x000C: .invalidParameters,
            ]
        case .classic:
            [
                0x0002: .portNotSupported, 0x0003: .securityBlock, 0x0004: .noResources, 0x0006: .invalidSource,
                0x0007: .sourceInUse,
            ]
        }
    }

    /// The code for an answer to the peer. A classic link has one code for all that its security lacks.
    func result(on transport: L2CAPLink.Transport) -> UInt16 {
        if let code = Self.results(on: transport).first(where: { $0.value == self })?.key { return code }
        return isLackOfSecurity ? 0x0003 : 0x0004
    }

    private var isLackOfSecurity: Bool {
        switch self {
        case .insufficientAuthentication, .insufficientAuthorization, .keyTooShort, .insufficientEncryption: true
        default: false
        }
    }

    var text: String {
        switch self {
        case .portNotSupported: "PSM not supported"
        case .noResources: "no resources available"
        case .insufficientAuthentication: "insufficient authentication"
        case .insufficientAuthorization: "insufficient authorization"
        case .keyTooShort: "encryption key too short"
        case .insufficientEncryption: "insufficient encryption"
        case .securityBlock: "security block"
        case .invalidSource: "invalid Source CID"
        case .sourceInUse: "Source CID already allocated"
        case .unacceptableParameters: "unacceptable parameters"
        case .invalidParameters: "invalid parameters"
        case .unknownResult: "unknown result"
        case .commandRejected: "Command Reject"
        case .configurationFailed: "configuration failed"
        case .noAnswer: "no answer"
        case .closedByPeer: "disconnected by the peer"
        case .cancelled: "closed before it was open"
        case .linkEnded: "the link ended"
        case .violation: "invalid answer"
        }
    }
}
