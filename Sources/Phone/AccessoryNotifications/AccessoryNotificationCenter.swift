import AccessorySetupKit
import HILPhone

/// The person's decision about the notifications that an accessory receives.
public enum ForwardingDecision: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The accessory receives the notifications of all apps.
    case allow
    /// The accessory receives no notifications.
    case deny
    /// The accessory receives the notifications of some apps.
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

/// Lets a companion app ask the person to forward notifications to its accessory.
public final class AccessoryNotificationCenter: Sendable {
    public init() {}

    /// Asks the person which apps' notifications the accessory may receive.
    ///
    /// - Throws: ``AccessoryError/unsupportedAccessory`` if the app has not set the accessory up,
    ///   ``AccessoryError/accessoryNotificationsUnavailable`` if an extension or entitlement is missing.
    public func requestForwarding(for accessory: ASAccessory) async throws -> ForwardingDecision {
        try await decision(for: accessory) { phone, app in
            try await phone.notifications.requestForwarding(to: accessory.bluetoothIdentifier, by: app)
        }
    }

    /// The person's latest decision.
    ///
    /// - Throws: ``AccessoryError/unsupportedAccessory`` if the app has not set the accessory up.
    public func forwardingStatus(for accessory: ASAccessory) async throws -> ForwardingDecision {
        try await decision(for: accessory) { phone, app in
            let record = try phone.notifications.record(of: accessory.bluetoothIdentifier, app: app)
            return phone.notifications.grant(for: record.id, of: app.bundle.identifier)
        }
    }

    /// Shows the person the settings of an accessory's notifications. Returns the decision when the settings are
    /// closed.
    ///
    /// - Parameter scenePersistentIdentifier: The scene to present from; not used, because this phone has one scene.
    /// - Throws: The errors of ``requestForwarding(for:)``.
    public func presentSettings(
        for accessory: ASAccessory, scenePersistentIdentifier: String? = nil
    ) async throws -> ForwardingDecision {
        _ = try await requestForwarding(for: accessory)
        return try await forwardingStatus(for: accessory)
    }

    private func decision(
        for accessory: ASAccessory, _ body: (Phone, RunningApp) async throws -> ForwardingGrant
    ) async throws -> ForwardingDecision {
        let phone = Phone.current
        guard let app = phone.app else { throw AccessoryError.unsupportedAccessory }
        do { return ForwardingDecision(try await body(phone, app)) } catch let error as ForwardingError {
            throw AccessoryError(error)
        }
    }
}
