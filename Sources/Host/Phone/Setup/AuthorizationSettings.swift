import Foundation

/// What an app adds when it finishes an authorisation (A2); behind `ASAccessorySettings`.
public struct AuthorizationSettings: Sendable, Hashable {
    public var ssid: String?
    /// 6 bytes.
    public var bridgingIdentifier: Data?

    public init(ssid: String? = nil, bridgingIdentifier: Data? = nil) {
        self.ssid = ssid
        self.bridgingIdentifier = bridgingIdentifier
    }
}
