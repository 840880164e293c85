import Foundation
import HILPhone

/// How a Wi-Fi network is secured. Source: NetworkExtension, NEHotspotNetwork.h.
public enum NEHotspotNetworkSecurityType: Int, Sendable {
    case open = 0
    case WEP = 1
    case personal = 2
    case enterprise = 3
    case unknown = 4
}

/// The Wi-Fi network that the phone is on.
open class NEHotspotNetwork: NSObject, @unchecked Sendable {
    // Unchecked because the class is open, as on iOS. It never changes.

    /// The network's name.
    public let ssid: String
    /// The access point's address: `3c:6a:2c:1f:00:07`.
    public let bssid: String
    public let securityType: NEHotspotNetworkSecurityType
    /// Between 0 and 1. Always 0: only a hotspot helper gets it, which is not simulated.
    public let signalStrength = 0.0
    /// Whether the network asks for a password.
    public var isSecure: Bool { securityType != .open }
    /// False: only a hotspot helper gets this value.
    public let didAutoJoin = false
    /// False: only a hotspot helper gets this value.
    public let didJustJoin = false
    /// False: there is no hotspot helper.
    public let isChosenHelper = false

    private init(ssid: String, bssid: String, securityType: NEHotspotNetworkSecurityType) {
        self.ssid = ssid
        self.bssid = bssid
        self.securityType = securityType
    }

    private static var current: NEHotspotNetwork? {
        Phone.current.network.linkKnownToApp.map { link in
            let security: NEHotspotNetworkSecurityType =
                switch link.keyManagement {
                case "NONE", "OWE": .open
                case let name where name.contains("PSK") || name.contains("SAE"): .personal
                case let name where name.contains("EAP"): .enterprise
                default: .unknown
                }
            return NEHotspotNetwork(
                ssid: link.ssid, bssid: link.bssid.description.lowercased(), securityType: security)
        }
    }

    /// Gives the network that the phone is on, on the main queue: nil without one, and for an app that may not know it
    /// (W16).
    open class func fetchCurrent(completionHandler: @escaping @Sendable (NEHotspotNetwork?) -> Void) {
        let (phone, network) = (Phone.current, current)
        if let app = phone.app { phone.deliver(to: app, on: .main) { completionHandler(network) } }
    }

    /// The network that the phone is on: nil without one, and for an app that may not know it (W16).
    open class func fetchCurrent() async -> NEHotspotNetwork? { current }
}
