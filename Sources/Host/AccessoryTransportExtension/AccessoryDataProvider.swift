import Phone

/// An extension that turns what the phone has to tell into messages for an accessory.
///
/// It needs the entitlement `com.apple.developer.accessory-data-provider`.
public protocol AccessoryDataProvider: AppExtension, HostableDataProvider {
    /// The extension point, and the features that the extension implements there.
    @AppExtensionPoint.Bind var extensionPoint: AppExtensionPoint { get }
}

/// Something that a data provider can implement, such as the forwarding of notifications.
public protocol AccessoryFeature: Sendable {
    /// Makes the handler for one session, as the phone calls it; apps never call this.
    func makeHostedHandler() -> any HostedNotificationsHandler
}

extension AccessoryDataProvider {
    public static var hostedPoint: String { "com.apple.accessory-data-provider" }
    public static var hostedEntitlement: String { "com.apple.developer.accessory-data-provider" }
    public var declaredPoint: String? { extensionPoint.identifier?.description }

    public func makeNotificationHandlers() -> [any HostedNotificationsHandler] {
        extensionPoint.features.map { $0.makeHostedHandler() }
    }
}
