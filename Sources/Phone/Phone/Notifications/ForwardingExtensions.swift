/// The three types of extensions that an app needs to forward notifications.
struct ForwardingExtensions: Sendable {
    let provider: any HostableDataProvider.Type
    let security: any HostableSecurityExtension.Type
    let transport: any HostableTransportExtension.Type

    /// Finds them among the app's extensions.
    ///
    /// - Throws: ``ForwardingError/unavailable(_:)`` if an extension or one of its entitlements is missing.
    init(of app: RunningApp) throws(ForwardingError) {
        provider = try Self.find("AccessoryDataProvider", in: app) { $0 as? any HostableDataProvider.Type }
        security = try Self.find("AccessoryTransportSecurity", in: app) {
            $0 as? any HostableSecurityExtension.Type
        }
        transport = try Self.find("AccessoryTransportAppExtension", in: app) {
            $0 as? any HostableTransportExtension.Type
        }
        for type in [provider, security, transport] as [any HostableExtension.Type]
        where !app.entitlements.contains(type.hostedEntitlement) {
            throw .unavailable("\(type) needs the entitlement \(type.hostedEntitlement) in \(Self.file(of: app))")
        }
    }

    private static func find<Found>(
        _ name: String, in app: RunningApp, _ cast: (Any.Type) -> Found?
    ) throws(ForwardingError) -> Found {
        for type in app.extensions {
            if let found = cast(type) { return found }
        }
        throw .unavailable("\(app.bundle.identifier) has no \(name) extension")
    }

    private static func file(of app: RunningApp) -> String {
        app.bundle.entitlements ?? "an entitlements file, which the app's bundle does not have"
    }

    /// Makes an extension.
    ///
    /// - Throws: ``ForwardingError/unavailable(_:)`` if the extension declares a different extension point.
    static func make<Extension: HostableExtension>(_ type: Extension.Type) throws(ForwardingError) -> Extension {
        let made = type.init()
        guard let declared = made.declaredPoint, declared != type.hostedPoint else { return made }
        throw .unavailable("\(type) declares the extension point \(declared) but implements \(type.hostedPoint)")
    }
}
