import Foundation
import Phone

/// Joins Wi-Fi networks for an app, and remembers which ones it configured.
open class NEHotspotConfigurationManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; it has no state of its own.

    /// The manager of the app.
    public class var shared: NEHotspotConfigurationManager { sharedManager }
    private static let sharedManager = NEHotspotConfigurationManager()

    private override init() {}

    /// Joins a network, after asking the person unless the network is that of an accessory set up for this app.
    ///
    /// - Parameter completionHandler: Called on the main queue, with an `NSError` of ``NEHotspotConfigurationErrorDomain`` if
    ///   it was not joined; the phone is then on the network that it was on before.
    open func apply(
        _ configuration: NEHotspotConfiguration, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let phone = Phone.current
        phone.network.apply(configuration.request) { failure in
            guard let completionHandler else { return }
            NEHotspotConfigurationManager.call(on: phone) {
                completionHandler(failure.map(NEHotspotConfigurationManager.error))
            }
        }
    }

    /// Joins a network, as ``apply(_:completionHandler:)``.
    open func apply(_ configuration: NEHotspotConfiguration) async throws {
        let (network, request) = (Phone.current.network, configuration.request)
        let failure = await withCheckedContinuation { continuation in
            network.apply(request) { continuation.resume(returning: $0) }
        }
        if let failure { throw NEHotspotConfigurationManager.error(failure) }
    }

    /// Forgets a network that this app configured, and leaves it if the phone is on it.
    open func removeConfiguration(forSSID SSID: String) {
        Phone.current.network.removeConfiguration(ssid: SSID)
    }

    /// The networks that this app configured, by name or prefix.
    open func getConfiguredSSIDs(completionHandler: @escaping @Sendable ([String]) -> Void) {
        let phone = Phone.current
        phone.network.configured { ssids in
            NEHotspotConfigurationManager.call(on: phone) { completionHandler(ssids) }
        }
    }

    /// The networks that this app configured, by name or prefix.
    open func configuredSSIDs() async -> [String] {
        let network = Phone.current.network
        return await withCheckedContinuation { continuation in
            network.configured { continuation.resume(returning: $0) }
        }
    }

    /// Calls into the app on the main queue, if there still is one.
    private static func call(on phone: Phone, _ body: @escaping @Sendable () -> Void) {
        if let app = phone.app { phone.deliver(to: app, on: .main, body) }
    }

    private static func error(_ failure: HotspotFailure) -> NSError {
        let (code, text) = values(failure)
        return NSError(
            domain: NEHotspotConfigurationErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text])
    }

    private static func values(_ failure: HotspotFailure) -> (NEHotspotConfigurationError, String) {
        switch failure {
        case .invalidSSID: (.invalidSSID, "invalid SSID.")
        case .invalidSSIDPrefix: (.invalidSSIDPrefix, "invalid SSID prefix.")
        case .invalidWPAPassphrase: (.invalidWPAPassphrase, "invalid WPA/WPA2 passphrase.")
        case .invalidWEPPassphrase: (.invalidWEPPassphrase, "invalid WEP passphrase.")
        case .userDenied: (.userDenied, "User denied.")
        case .pending: (.pending, "pending.")
        case .alreadyAssociated: (.alreadyAssociated, "already associated.")
        case .notInForeground: (.applicationIsNotInForeground, "application is not in the foreground.")
        case .joinFailed: (.internal, "internal error.")
        }
    }
}
