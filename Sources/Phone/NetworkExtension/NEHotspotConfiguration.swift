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
    let eapSettings: NEHotspotEAPSettings?
    let hotspot20: NEHotspotHS20Settings?

    private struct Options {
        var joinOnce = false
        var hidden = false
        var lifeTimeInDays = NSNumber(value: 0)
    }

    private let options = Mutex(Options())

    private init(
        ssid: String, prefix: String, passphrase: String?, isWEP: Bool, eap: NEHotspotEAPSettings? = nil,
        hotspot20: NEHotspotHS20Settings? = nil
    ) {
        self.ssid = ssid
        ssidPrefix = prefix
        self.passphrase = passphrase
        self.isWEP = isWEP
        // As on iOS, the settings are copied: later changes of the app's object have no effect.
        eapSettings = eap?.copy() as? NEHotspotEAPSettings
        self.hotspot20 = hotspot20?.copy() as? NEHotspotHS20Settings
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

    /// Describes a WPA2-Enterprise network by its name: the phone logs in by EAP-TTLS or PEAP.
    public convenience init(ssid SSID: String, eapSettings: NEHotspotEAPSettings) {
        self.init(ssid: SSID, prefix: "", passphrase: nil, isWEP: false, eap: eapSettings)
    }

    /// Describes the networks of a Hotspot 2.0 provider.
    ///
    /// The phone stores the configuration, lists it by its domain, and never joins by it: Hotspot 2.0 is not simulated.
    public convenience init(hs20Settings: NEHotspotHS20Settings, eapSettings: NEHotspotEAPSettings) {
        self.init(ssid: "", prefix: "", passphrase: nil, isWEP: false, eap: eapSettings, hotspot20: hs20Settings)
    }

    /// Whether the phone leaves and forgets the network when the app ends, or is in the background for 15 seconds.
    public var joinOnce: Bool {
        get { options.withLock { $0.joinOnce } }
        set { options.withLock { $0.joinOnce = newValue } }
    }

    /// Whether the network hides its name, so that the phone asks for it.
    public var hidden: Bool {
        get { options.withLock { $0.hidden } }
        set { options.withLock { $0.hidden = newValue } }
    }

    /// After how many days the phone forgets the configuration, 1 to 365. Any other number: never. Not for enterprise
    /// networks.
    public var lifeTimeInDays: NSNumber {
        get { options.withLock { $0.lifeTimeInDays } }
        set { options.withLock { $0.lifeTimeInDays = newValue } }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NEHotspotConfiguration(
            ssid: ssid, prefix: ssidPrefix, passphrase: passphrase, isWEP: isWEP, eap: eapSettings,
            hotspot20: hotspot20)
        (copy.joinOnce, copy.hidden, copy.lifeTimeInDays) = (joinOnce, hidden, lifeTimeInDays)
        return copy
    }

    var request: HotspotRequest {
        var request = HotspotRequest(
            name: ssid.isEmpty && !ssidPrefix.isEmpty ? .prefix(ssidPrefix) : .exact(ssid), passphrase: passphrase,
            isWEP: isWEP, joinOnce: joinOnce)
        request.isHidden = hidden
        request.lifeTimeInDays = lifeTimeInDays.intValue
        request.login = eapSettings?.login
        request.hotspot20Domain = hotspot20?.domainName
        return request
    }
}
