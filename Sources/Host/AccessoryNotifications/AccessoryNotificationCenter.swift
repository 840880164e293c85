import AccessorySetupKit
import Phone

/// What a person decided about the notifications that an accessory gets.
public enum ForwardingDecision: Sendable, Hashable, CustomStringConvertible {
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

/// Why notifications cannot be forwarded.
public enum AccessoryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The accessory was not set up by this app, or has no Bluetooth.
    case unsupportedAccessory
    /// An extension of the app or an entitlement is missing; the phone's log names it.
    case accessoryNotificationsUnavailable

    public var description: String {
        switch self {
        case .unsupportedAccessory: "the app has not set this accessory up with AccessorySetupKit, over Bluetooth"
        case .accessoryNotificationsUnavailable:
            "notifications cannot be forwarded: an extension or its entitlement is missing; see the phone's log"
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
        let phone = Phone.current
        guard let app = phone.app else { throw AccessoryError.unsupportedAccessory }
        do {
            return ForwardingDecision(
                try await phone.notifications.requestForwarding(to: accessory.bluetoothIdentifier, by: app))
        } catch ForwardingError.notSetUp {
            throw AccessoryError.unsupportedAccessory
        } catch is ForwardingError {
            throw AccessoryError.accessoryNotificationsUnavailable
        }
    }

    /// What the person decided so far.
    ///
    /// - Throws: ``AccessoryError/unsupportedAccessory`` if the app has not set the accessory up.
    public func forwardingStatus(for accessory: ASAccessory) async throws -> ForwardingDecision {
        let phone = Phone.current
        guard let app = phone.app else { throw AccessoryError.unsupportedAccessory }
        do {
            let record = try phone.notifications.record(of: accessory.bluetoothIdentifier, app: app)
            return ForwardingDecision(phone.notifications.grant(for: record.id, of: app.bundle.identifier))
        } catch ForwardingError.notSetUp {
            throw AccessoryError.unsupportedAccessory
        }
    }
}
