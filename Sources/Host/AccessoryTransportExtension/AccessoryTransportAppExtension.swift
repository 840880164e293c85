import Phone

/// An extension that carries sealed messages to an accessory.
///
/// It needs the entitlement `com.apple.developer.accessory-transport-extension`.
public protocol AccessoryTransportAppExtension: AppExtension, HostableTransportExtension {
    /// Takes or refuses a session: give what `accept` or `reject` of the request give.
    func accept(sessionRequest: AccessoryTransportSession.Request) -> AccessoryTransportSession.Request.Decision

    /// The extension point; may be left out, as the kind of extension says it already.
    static var boundExtensionPoint: AppExtensionPoint { get }
}

extension AccessoryTransportAppExtension {
    public static var boundExtensionPoint: AppExtensionPoint {
        AppExtensionPoint(identifier: Identifier(hostedPoint), features: [])
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
