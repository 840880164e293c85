import AccessorySetupKit
import Foundation

extension NEHotspotConfigurationManager {
    /// Joins the protected network of an accessory that the app has set up. The person is not asked (W1).
    ///
    /// - Parameters:
    ///   - accessory: An accessory with a network: its `ssid` is not nil.
    ///   - completionHandler: As that of ``apply(_:completionHandler:)``.
    public func joinAccessoryHotspot(
        _ accessory: ASAccessory, passphrase: String, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        apply(
            NEHotspotConfiguration(ssid: accessory.ssid ?? "", passphrase: passphrase, isWEP: false),
            completionHandler: completionHandler)
    }

    /// Joins the protected network of an accessory that the app has set up, like the method with a handler.
    public func joinAccessoryHotspot(_ accessory: ASAccessory, passphrase: String) async throws {
        try await apply(NEHotspotConfiguration(ssid: accessory.ssid ?? "", passphrase: passphrase, isWEP: false))
    }

    /// Joins the open network of an accessory that the app has set up. The person is not asked (W1).
    public func joinAccessoryHotspotWithoutSecurity(
        _ accessory: ASAccessory, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        apply(NEHotspotConfiguration(ssid: accessory.ssid ?? ""), completionHandler: completionHandler)
    }

    /// Joins the open network of an accessory that the app has set up, like the method with a handler.
    public func joinAccessoryHotspotWithoutSecurity(_ accessory: ASAccessory) async throws {
        try await apply(NEHotspotConfiguration(ssid: accessory.ssid ?? ""))
    }
}
