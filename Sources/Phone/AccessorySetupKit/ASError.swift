import Foundation
import HILPhone

/// The domain of AccessorySetupKit's errors as `NSError`.
public let ASErrorDomain: String = "ASErrorDomain"

/// An error encountered during accessory discovery.
public struct ASError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Codes that describe errors encountered during accessory discovery. Raw values as in Apple's header `ASError.h`.
    public enum Code: Int, Sendable, Hashable, CaseIterable {
        /// A successful action.
        case success = 0
        /// An underlying failure with an unknown cause.
        case unknown = 1
        /// Session activation failed.
        case activationFailed = 100
        /// The session was unable to establish a connection.
        case connectionFailed = 150
        /// Accessory discovery timed out.
        case discoveryTimeout = 200
        /// The framework couldn't find the app extension.
        case extensionNotFound = 300
        /// The session invalidated prior to completing the operation.
        case invalidated = 400
        /// The session received an invalid request.
        case invalidRequest = 450
        /// The picker received a show request when it was already active.
        case pickerAlreadyActive = 500
        /// The picker can't be used because the app is in the background.
        case pickerRestricted = 550
        /// The person using the app canceled the operation.
        case userCancelled = 700
        /// The person using the app restricted access.
        case userRestricted = 750

        /// The domain of the errors that have these codes.
        public static var errorDomain: String { ASErrorDomain }

        /// Whether an error has this code. Makes `catch ASError.userCancelled` work.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ASError)?.code == code
        }
    }

    /// The reason for the error, as one of Apple's codes.
    public let code: Code
    private let reason: String

    /// Makes an error; `NSLocalizedFailureReasonErrorKey` in the user information becomes its reason.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        reason = userInfo[NSLocalizedFailureReasonErrorKey] as? String ?? "\(code)"
    }

    init(_ error: SetupError) {
        code = Code(rawValue: error.code.rawValue) ?? .unknown
        reason = error.reason
    }

    public static var errorDomain: String { ASErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason]
    }
    /// The reason as text.
    public var errorDescription: String? { reason }
    /// The reason as text.
    public var failureReason: String? { reason }

    public static var success: Code { .success }
    public static var unknown: Code { .unknown }
    public static var activationFailed: Code { .activationFailed }
    public static var connectionFailed: Code { .connectionFailed }
    public static var discoveryTimeout: Code { .discoveryTimeout }
    public static var extensionNotFound: Code { .extensionNotFound }
    public static var invalidated: Code { .invalidated }
    public static var invalidRequest: Code { .invalidRequest }
    public static var pickerAlreadyActive: Code { .pickerAlreadyActive }
    public static var pickerRestricted: Code { .pickerRestricted }
    public static var userCancelled: Code { .userCancelled }
    public static var userRestricted: Code { .userRestricted }
}

extension ASError: CustomStringConvertible {
    public var description: String { "ASError.\(code): \(reason)" }
}
