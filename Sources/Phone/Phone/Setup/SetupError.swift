/// Why a request to accessory setup failed; the phone's side of `ASError`.
package struct SetupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error. The raw values are those of `ASError.Code`.
    package enum Code: Int, Sendable, Hashable, CaseIterable {
        case success = 0
        case unknown = 1
        case activationFailed = 100
        case connectionFailed = 150
        case discoveryTimeout = 200
        case extensionNotFound = 300
        case invalidated = 400
        case invalidRequest = 450
        case pickerAlreadyActive = 500
        case pickerRestricted = 550
        case userCancelled = 700
        case userRestricted = 750
    }

    package var code: Code
    /// What happened, and what to do about it, as text for people.
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    package var description: String { "\(code): \(reason)" }
}
