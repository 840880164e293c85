import HILPhone

/// An error of this framework. The accessory, the platform, the app's extensions or the response can be the reason.
public enum AccessoryError: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// This app has not set the accessory up, or the accessory has no Bluetooth.
    case unsupportedAccessory
    /// This device or region does not support the forwarding of notifications. This phone never gives this error.
    case unsupportedPlatform
    /// An extension or an entitlement of the app is missing (the phone's log names it), or the session is over.
    case accessoryNotificationsUnavailable
    /// The phone cannot carry out the person's response on the accessory; the phone's log says why.
    case invalidNotificationResponse
    /// `addNotification` did not return before its deadline.
    case coordinationTimeout
    /// The system has reached a state that should not be possible.
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
        case .internalInconsistency: "the system has reached a state that should not be possible"
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
