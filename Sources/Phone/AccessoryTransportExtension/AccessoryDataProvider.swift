@_exported import ExtensionFoundation
import HILPhone

/// An app extension that turns data of the phone, such as notifications, into messages for an accessory.
///
/// The app needs the entitlement `com.apple.developer.accessory-data-provider`.
public protocol AccessoryDataProvider: AppExtension, HostableDataProvider {
    /// The extension point, and the features that the extension implements.
    @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }
}

/// A feature that a data provider can implement, such as the forwarding of notifications.
public protocol AccessoryFeature: Sendable, AppExtensionPoint.Capability {
    /// A text that names the kind of feature.
    static var featureID: String { get }
    /// Makes the handler for one session. Only the phone calls this; apps never do.
    func makeHostedHandler() -> any HostedNotificationsHandler
}

extension AccessoryDataProvider {
    public static var hostedPoint: String { "com.apple.accessory-data-provider" }
    public static var hostedEntitlement: String { "com.apple.developer.accessory-data-provider" }
    public var declaredPoint: String? { extensionPoint.identifier?.description }

    public func makeNotificationHandlers() -> [any HostedNotificationsHandler] {
        // The phone knows no capabilities but features.
        extensionPoint.capabilities.list.compactMap { ($0 as? any AccessoryFeature)?.makeHostedHandler() }
    }
}
