import AccessorySetupKit
import Phone

/// What a person decided about the notifications that an accessory gets.
public enum ForwardingDecision: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Those of all apps.
    case allow
    /// None.
    case deny
    /// Those of some apps.
    case limited
    /// The person was not asked, or closed the prompt.
    case undetermined

    public var description: String {
        switch self {
        case .allow: "allow"
        case .deny: "deny"
        case .limited: "limited"
        case .undetermined: "undetermined"
        }
    }

    init(_ grant: ForwardingGrant) {
        switch grant {
        case .all: self = .allow
        case .only: self = grant.allowsAny ? .limited : .deny
        case .none: self = .deny
        case .undetermined: self = .undetermined
        }
    }
}

/// Where a companion app asks for its accessory to get notifications.
public final class AccessoryNotificationCenter: Sendable {
    public init() {}

    /// Asks the person whose notifications the accessory may get.
    ///
    /// - Throws: ``AccessoryError/unsupportedAccessory`` if the app has not set the accessory up,
    ///   ``AccessoryError/accessoryNotificationsUnavailable`` if an extension or entitlement is missing.
    public func requestForwarding(for accessory: ASAccessory) async throws -> ForwardingDecision {
        try await asked(for: accessory) { phone, app in
            try await phone.notifications.requestForwarding(to: accessory.bluetoothIdentifier, by: app)
        }
    }

    /// What the person decided so far.
    ///
    /// - Throws: ``AccessoryError/unsupportedAccessory`` if the app has not set the accessory up.
    public func forwardingStatus(for accessory: ASAccessory) async throws -> ForwardingDecision {
        try await asked(for: accessory) { phone, app in
            let record = try phone.notifications.record(of: accessory.bluetoothIdentifier, app: app)
            return phone.notifications.grant(for: record.id, of: app.bundle.identifier)
        }
    }

    /// Shows the person the settings of an accessory's notifications, and gives what is decided when they are closed.
    ///
    /// - Parameter scenePersistentIdentifier: The scene to present from; this phone has one.
    /// - Throws: As ``requestForwarding(for:)``.
    public func presentSettings(
        for accessory: ASAccessory, scenePersistentIdentifier: String? = nil
    ) async throws -> ForwardingDecision {
        _ = try await requestForwarding(for: accessory)
        return try await forwardingStatus(for: accessory)
    }

    private func asked(
        for accessory: ASAccessory, _ body: (Phone, RunningApp) async throws -> ForwardingGrant
    ) async throws -> ForwardingDecision {
        let phone = Phone.current
        guard let app = phone.app else { throw AccessoryError.unsupportedAccessory }
        do { return ForwardingDecision(try await body(phone, app)) } catch let error as ForwardingError {
            throw AccessoryError(error)
        }
    }
}
