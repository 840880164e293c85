import HILPhone

/// An app extension that carries encrypted messages to an accessory.
///
/// The app needs the entitlement `com.apple.developer.accessory-transport-extension`.
public protocol AccessoryTransportAppExtension: AppExtension, HostableTransportExtension {
    /// Accepts or rejects a session. Return the result of the request's `accept` or `reject`.
    func accept(sessionRequest: AccessoryTransportSession.Request) -> AccessoryTransportSession.Request.Decision

    /// The extension point. It may be left out, because the protocol has a default.
    static var boundExtensionPoint: AppExtensionPoint { get }
}

extension AccessoryTransportAppExtension {
    public static var boundExtensionPoint: AppExtensionPoint {
        AppExtensionPoint(identifier: Identifier(hostedPoint))
    }
    public static var hostedPoint: String { "com.apple.accessory-transport-extension" }
    public static var hostedEntitlement: String { "com.apple.developer.accessory-transport-extension" }
    public var declaredPoint: String? { Self.boundExtensionPoint.identifier?.description }

    public func offer(_ port: TransportPort) -> SessionOffer<any HostedTransportHandler> {
        let request = AccessoryTransportSession.Request(session: AccessoryTransportSession(port))
        switch accept(sessionRequest: request).outcome {
        case .accepted(let handler): return .accepted(AccessoryTransportSession.Hosted(handler: handler))
        case .rejected(let error): return .rejected(error)
        }
    }
}
