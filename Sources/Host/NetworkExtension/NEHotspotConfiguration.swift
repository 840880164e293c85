@_exported import Foundation
@_exported import HILFoundation
import HILPhone
@_exported import Observation
import Synchronization

/// A Wi-Fi network for ``NEHotspotConfigurationManager/apply(_:completionHandler:)``.
///
/// The values are checked only when the configuration is applied.
open class NEHotspotConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open, as on iOS. A mutex guards its only variable.

    /// The network's whole name; empty if a prefix is given.
    public let ssid: String
    /// The first characters of the network's name; empty if the whole name is given.
    public let ssidPrefix: String
    let passphrase: String?
    let isWEP: Bool
    private let joinsOnce = Mutex(false)

    private init(ssid: String, prefix: String, passphrase: String?, isWEP: Bool) {
        self.ssid = ssid
        ssidPrefix = prefix
        self.passphrase = passphrase
        self.isWEP = isWEP
    }

    /// Describes an open network by its name, 1 to 32 bytes in UTF-8.
    public convenience init(ssid SSID: String) {
        self.init(ssid: SSID, prefix: "", passphrase: nil, isWEP: false)
    }

    /// Describes a protected network by its name. WPA passphrases have 8 to 63 characters or 64 hexadecimal digits.
    ///
    /// The phone finds out the version of WPA from the network's offer.
    public convenience init(ssid SSID: String, passphrase: String, isWEP: Bool) {
        self.init(ssid: SSID, prefix: "", passphrase: passphrase, isWEP: isWEP)
    }

    /// Describes an open network by the first characters of its name, at least 3.
    public convenience init(ssidPrefix SSIDPrefix: String) {
        self.init(ssid: "", prefix: SSIDPrefix, passphrase: nil, isWEP: false)
    }

    /// Describes a protected network by the first characters of its name, at least 3.
    public convenience init(ssidPrefix SSIDPrefix: String, passphrase: String, isWEP: Bool) {
        self.init(ssid: "", prefix: SSIDPrefix, passphrase: passphrase, isWEP: isWEP)
    }

    /// Whether the phone leaves and forgets the network when the app ends.
    public var joinOnce: Bool {
        get { joinsOnce.withLock { $0 } }
        set { joinsOnce.withLock { $0 = newValue } }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NEHotspotConfiguration(ssid: ssid, prefix: ssidPrefix, passphrase: passphrase, isWEP: isWEP)
        copy.joinOnce = joinOnce
        return copy
    }

    var request: HotspotRequest {
        HotspotRequest(
            name: ssid.isEmpty && !ssidPrefix.isEmpty ? .prefix(ssidPrefix) : .exact(ssid), passphrase: passphrase,
            isWEP: isWEP, joinOnce: joinOnce)
    }
}
