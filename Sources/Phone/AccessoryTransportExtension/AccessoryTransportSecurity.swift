import HILPhone

/// An app extension that exchanges keys between the phone and an accessory.
///
/// The app needs the entitlement `com.apple.developer.accessory-transport-security`.
public protocol AccessoryTransportSecurity: AppExtension, HostableSecurityExtension {
    /// Accepts or rejects a session. Return the result of the request's `accept` or `reject`.
    func accept(sessionRequest: AccessorySecuritySession.Request) -> AccessorySecuritySession.Request.Decision

    /// The extension point. It may be left out, because the protocol has a default.
    static var boundExtensionPoint: AppExtensionPoint { get }
}

extension AccessoryTransportSecurity {
    public static var boundExtensionPoint: AppExtensionPoint {
        AppExtensionPoint(identifier: Identifier(hostedPoint))
    }
    public static var hostedPoint: String { "com.apple.accessory-transport-security" }
    public static var hostedEntitlement: String { "com.apple.developer.accessory-transport-security" }
    public var declaredPoint: String? { Self.boundExtensionPoint.identifier?.description }

    public func offer(_ port: SecurityPort) -> SessionOffer<any HostedSecurityHandler> {
        let request = AccessorySecuritySession.Request(session: AccessorySecuritySession(port))
        switch accept(sessionRequest: request).outcome {
        case .accepted(let handler): return .accepted(AccessorySecuritySession.Hosted(handler: handler))
        case .rejected(let error): return .rejected(error)
        }
    }
}
