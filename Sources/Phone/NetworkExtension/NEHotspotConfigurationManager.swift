import Foundation
import HILPhone

/// Joins Wi-Fi networks for an app, and remembers which networks the app has configured.
open class NEHotspotConfigurationManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open, as on iOS. It has no stored state.

    /// The only manager. It acts for the app that runs on the phone.
    public class var shared: NEHotspotConfigurationManager { sharedManager }
    private static let sharedManager = NEHotspotConfigurationManager()

    private override init() {}

    /// Stores a configuration, and joins its network if it is near. The person is asked first, unless the network belongs
    /// to an accessory that the app has set up.
    ///
    /// If the network cannot be joined, the person is told, and the phone is on its former network. The app finds out
    /// with ``NEHotspotNetwork/fetchCurrent()``: see `HostPolicy.HotspotCompletion` (W17).
    ///
    /// - Parameter completionHandler: Called on the main queue: with nil if the configuration is stored, else with an
    ///   `NSError` of ``NEHotspotConfigurationErrorDomain``.
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

    /// Joins a network, like ``apply(_:completionHandler:)``. Throws the error that the handler would get.
    open func apply(_ configuration: NEHotspotConfiguration) async throws {
        let (network, request) = (Phone.current.network, configuration.request)
        let failure = await withCheckedContinuation { continuation in
            network.apply(request) { continuation.resume(returning: $0) }
        }
        if let failure { throw NEHotspotConfigurationManager.error(failure) }
    }

    /// Forgets a network that this app configured. The phone leaves it if it is joined.
    open func removeConfiguration(forSSID SSID: String) {
        Phone.current.network.removeConfiguration(ssid: SSID)
    }

    /// Forgets the configuration of a Hotspot 2.0 provider.
    open func removeConfiguration(forHS20DomainName domainName: String) {
        Phone.current.network.removeConfiguration(ssid: domainName)
    }

    /// Gives the names and prefixes of the networks that this app configured, on the main queue.
    open func getConfiguredSSIDs(completionHandler: @escaping @Sendable ([String]) -> Void) {
        let phone = Phone.current
        phone.network.configured { ssids in
            NEHotspotConfigurationManager.call(on: phone) { completionHandler(ssids) }
        }
    }

    /// The names and prefixes of the networks that this app configured.
    open func configuredSSIDs() async -> [String] {
        let network = Phone.current.network
        return await withCheckedContinuation { continuation in
            network.configured { continuation.resume(returning: $0) }
        }
    }

    /// Calls into the app on the main queue. Does nothing if the app no longer runs.
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
        case .invalidEAPSettings: (.invalidEAPSettings, "invalid EAP settings.")
        case .invalidHS20DomainName: (.invalidHS20DomainName, "invalid HS2.0 domain name.")
        case .joinOnceNotSupported: (.joinOnceNotSupported, "join once is not supported.")
        case .userDenied: (.userDenied, "User denied.")
        case .pending: (.pending, "pending.")
        case .alreadyAssociated: (.alreadyAssociated, "already associated.")
        case .notInForeground: (.applicationIsNotInForeground, "application is not in the foreground.")
        case .joinFailed: (.internal, "internal error.")
        }
    }
}
