import Phone

/// Why the framework could not do something.
public enum AccessoryError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The accessory was not set up by this app, or has no Bluetooth.
    case unsupportedAccessory
    /// Not an iPhone, or not where notifications may be forwarded.
    case unsupportedPlatform
    /// An extension of the app or an entitlement is missing, which the phone's log names, or the session is over.
    case accessoryNotificationsUnavailable
    /// What the accessory answered cannot be carried out; the phone's log says why.
    case invalidNotificationResponse
    /// `addNotification` did not return in time.
    case coordinationTimeout
    /// The system is at odds with itself.
    case internalInconsistency

    public var description: String {
        switch self {
        case .unsupportedAccessory: "the app has not set this accessory up with AccessorySetupKit, over Bluetooth"
        case .unsupportedPlatform: "notifications cannot be forwarded by this device"
        case .accessoryNotificationsUnavailable:
            "notifications cannot be forwarded: an extension or its entitlement is missing, or the session is over; "
                + "see the phone's log"
        case .invalidNotificationResponse:
            "the response cannot be carried out: the notification is gone, or has no such action; see the phone's log"
        case .coordinationTimeout: "addNotification did not return in time to say whether the accessory alerts"
        case .internalInconsistency: "the system is at odds with itself"
        }
    }

    init(_ error: ForwardingError) {
        self =
            switch error {
            case .notSetUp: .unsupportedAccessory
            case .unavailable, .rejected, .ended: .accessoryNotificationsUnavailable
            case .invalidResponse: .invalidNotificationResponse
            }
    }
}
