import Phone

/// An extension that exchanges keys between the phone and an accessory.
///
/// It needs the entitlement `com.apple.developer.accessory-transport-security`.
public protocol AccessoryTransportSecurity: AppExtension, HostableSecurityExtension {
    /// Takes or refuses a session: give what `accept` or `reject` of the request give.
    func accept(sessionRequest: AccessorySecuritySession.Request) -> AccessorySecuritySession.Request.Decision

    /// The extension point; may be left out, as the kind of extension says it already.
    static var boundExtensionPoint: AppExtensionPoint { get }
}

extension AccessoryTransportSecurity {
    public static var boundExtensionPoint: AppExtensionPoint {
        AppExtensionPoint(identifier: Identifier(hostedPoint), features: [])
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
