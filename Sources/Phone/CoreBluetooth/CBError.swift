import Foundation

/// The domain of ``CBError``.
public let CBErrorDomain = "CBErrorDomain"

/// The domain of ``CBATTError``.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// An error of CoreBluetooth that is not an answer of the attribute server. Raw values: CoreBluetooth, `CBError.h`.
public struct CBError: CustomNSError, Hashable, Sendable {
    /// The reasons for an error. This phone gives `unknown`, `notConnected`, `connectionTimeout`,
    /// `peripheralDisconnected` and `connectionFailed`.
    public enum Code: Int, Sendable {
        case unknown = 0
        case invalidParameters = 1
        case invalidHandle = 2
        case notConnected = 3
        case outOfSpace = 4
        case operationCancelled = 5
        case connectionTimeout = 6
        case peripheralDisconnected = 7
        case uuidNotAllowed = 8
        case alreadyAdvertising = 9
        case connectionFailed = 10
        case connectionLimitReached = 11
        case unknownDevice = 12
        case operationNotSupported = 13
        case peerRemovedPairingInformation = 14
        case encryptionTimedOut = 15
        case tooManyLEPairedDevices = 16
        case leGattExceededBackgroundNotificationLimit = 17
        case leGattNearBackgroundNotificationLimit = 18
    }

    /// The reason for the error.
    public let code: Code

    /// Makes an error with this code, for example in an app's own code.
    public init(_ code: Code) {
        self.code = code
    }

    /// Takes an error of this domain that came as an `NSError`, as Swift does for bridged errors.
    public init(_nsError error: NSError) {
        self.init(error.domain == CBErrorDomain ? Code(rawValue: error.code) ?? .unknown : .unknown)
    }

    public static var errorDomain: String { CBErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: code.text] }
    /// The text that iOS gives for the code.
    public var localizedDescription: String { code.text }
}

extension CBError: CustomStringConvertible {
    /// The code as apps write it, and iOS's text: `CBError.notConnected: The specified device is not connected.`
    public var description: String { "CBError.\(code): \(localizedDescription)" }
}

extension CBError.Code {
    /// Makes `catch CBError.connectionFailed` work, as it does on iOS.
    public static func ~= (code: CBError.Code, error: any Error) -> Bool {
        (error as? CBError)?.code == code
    }

    fileprivate var text: String {
        switch self {
        case .unknown: "Unknown error."
        case .invalidParameters: "One or more parameters were invalid."
        case .invalidHandle: "The specified attribute handle is invalid."
        case .notConnected: "The specified device is not connected."
        case .outOfSpace: "The device has run out of space."
        case .operationCancelled: "The operation was cancelled."
        case .connectionTimeout: "The connection has timed out unexpectedly."
        case .peripheralDisconnected: "The specified device has disconnected from us."
        case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
        case .alreadyAdvertising: "Already advertising."
        case .connectionFailed: "The connection has failed unexpectedly."
        case .connectionLimitReached: "The maximum number of connections has been reached."
        case .unknownDevice: "The device is unknown."
        case .operationNotSupported: "The operation is not supported."
        case .peerRemovedPairingInformation: "Peer removed pairing information"
        case .encryptionTimedOut: "Failed to encrypt the connection, the connection has timed out unexpectedly."
        case .tooManyLEPairedDevices: "Failed to encrypt the connection, too many LE paired devices."
        case .leGattExceededBackgroundNotificationLimit: "Exceeded the background notification limit."
        case .leGattNearBackgroundNotificationLimit: "Near the background notification limit."
        }
    }
}

extension CBError {
    public static var unknown: Code { .unknown }
    public static var invalidParameters: Code { .invalidParameters }
    public static var invalidHandle: Code { .invalidHandle }
    public static var notConnected: Code { .notConnected }
    public static var outOfSpace: Code { .outOfSpace }
    public static var operationCancelled: Code { .operationCancelled }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    public static var connectionFailed: Code { .connectionFailed }
    public static var connectionLimitReached: Code { .connectionLimitReached }
    public static var unknownDevice: Code { .unknownDevice }
    public static var operationNotSupported: Code { .operationNotSupported }
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}
