import Foundation

/// An error from the peripheral's attribute server. Raw values: Core Specification, Vol 3, Part F, 3.4.1.1.
///
/// A server may answer with its own application error (0x80 to 0x9F); ``Code/unnamed(_:)`` keeps the number.
public struct CBATTError: CustomNSError, Hashable, Sendable {
    /// The error codes of the Attribute Protocol, and any other number that a server answers with.
    public enum Code: Hashable, Sendable {
        case success
        case invalidHandle
        case readNotPermitted
        case writeNotPermitted
        case invalidPdu
        case insufficientAuthentication
        case requestNotSupported
        case invalidOffset
        case insufficientAuthorization
        case prepareQueueFull
        case attributeNotFound
        case attributeNotLong
        case insufficientEncryptionKeySize
        case invalidAttributeValueLength
        case unlikelyError
        case insufficientEncryption
        case unsupportedGroupType
        case insufficientResources
        /// A code without a name: an application error, or a code of a later specification.
        case unnamed(Int)
    }

    /// The server's error code.
    public let code: Code

    /// Makes an error with this code, for example in an app's own tests.
    public init(_ code: Code) {
        self.code = code
    }

    public static var errorDomain: String { CBATTErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }

    /// The text that iOS gives for the code.
    public var localizedDescription: String {
        switch code {
        case .success: "Success."
        case .invalidHandle: "The handle is invalid."
        case .readNotPermitted: "Reading is not permitted."
        case .writeNotPermitted: "Writing is not permitted."
        case .invalidPdu: "The command is invalid."
        case .insufficientAuthentication: "Authentication is insufficient."
        case .requestNotSupported: "The request is not supported."
        case .invalidOffset: "The offset is invalid."
        case .insufficientAuthorization: "Authorization is insufficient."
        case .prepareQueueFull: "The prepare queue is full."
        case .attributeNotFound: "The attribute could not be found."
        case .attributeNotLong: "The attribute is not long."
        case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
        case .invalidAttributeValueLength: "The value's length is invalid."
        case .unlikelyError: "Unlikely error."
        case .insufficientEncryption: "Encryption is insufficient."
        case .unsupportedGroupType: "The group type is unsupported."
        case .insufficientResources: "Resources are insufficient."
        case .unnamed: "Unknown ATT error."
        }
    }
}

extension CBATTError: CustomStringConvertible {
    /// The code as apps write it, and iOS's text: `CBATTError.invalidHandle: The handle is invalid.`
    public var description: String {
        if case .unnamed(let number) = code { return "CBATTError with code \(number): \(localizedDescription)" }
        return "CBATTError.\(code): \(localizedDescription)"
    }
}

extension CBATTError.Code: RawRepresentable {
    private static let named: [CBATTError.Code] = [
        .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu, .insufficientAuthentication,
        .requestNotSupported, .invalidOffset, .insufficientAuthorization, .prepareQueueFull, .attributeNotFound,
        .attributeNotLong, .insufficientEncryptionKeySize, .invalidAttributeValueLength, .unlikelyError,
        .insufficientEncryption, .unsupportedGroupType, .insufficientResources,
    ]

    /// Accepts every number: never nil, as on iOS. The named codes are 0x00 to 0x11.
    public init?(rawValue: Int) {
        let named = CBATTError.Code.named
        self = named.indices.contains(rawValue) ? named[rawValue] : .unnamed(rawValue)
    }

    public var rawValue: Int {
        switch self {
        case .success: 0x00
        case .invalidHandle: 0x01
        case .readNotPermitted: 0x02
        case .writeNotPermitted: 0x03
        case .invalidPdu: 0x04
        case .insufficientAuthentication: 0x05
        case .requestNotSupported: 0x06
        case .invalidOffset: 0x07
        case .insufficientAuthorization: 0x08
        case .prepareQueueFull: 0x09
        case .attributeNotFound: 0x0A
        case .attributeNotLong: 0x0B
        case .insufficientEncryptionKeySize: 0x0C
        case .invalidAttributeValueLength: 0x0D
        case .unlikelyError: 0x0E
        case .insufficientEncryption: 0x0F
        case .unsupportedGroupType: 0x10
        case .insufficientResources: 0x11
        case .unnamed(let value): value
        }
    }

    /// Makes `catch CBATTError.insufficientEncryption` work, as it does on iOS.
    public static func ~= (code: CBATTError.Code, error: any Error) -> Bool {
        (error as? CBATTError)?.code == code
    }
}

extension CBATTError {
    public static var success: Code { .success }
    public static var invalidHandle: Code { .invalidHandle }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var writeNotPermitted: Code { .writeNotPermitted }
    public static var invalidPdu: Code { .invalidPdu }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var requestNotSupported: Code { .requestNotSupported }
    public static var invalidOffset: Code { .invalidOffset }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var prepareQueueFull: Code { .prepareQueueFull }
    public static var attributeNotFound: Code { .attributeNotFound }
    public static var attributeNotLong: Code { .attributeNotLong }
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    public static var unlikelyError: Code { .unlikelyError }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    public static var insufficientResources: Code { .insufficientResources }
}
