@_exported import Foundation
import Phone
import Synchronization

/// A Wi-Fi network for ``NEHotspotConfigurationManager/apply(_:completionHandler:)``.
///
/// Nothing is checked before it is applied.
open class NEHotspotConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; its only variable is under a mutex.

    /// The network's name; empty if it is given by a prefix.
    public let ssid: String
    /// The beginning of the network's name; empty if the whole name is given.
    public let ssidPrefix: String
    let passphrase: String?
    let isWEP: Bool
    private let once = Mutex(false)

    private init(ssid: String, prefix: String, passphrase: String?, isWEP: Bool) {
        self.ssid = ssid
        ssidPrefix = prefix
        self.passphrase = passphrase
        self.isWEP = isWEP
    }

    /// An open network.
    public convenience init(ssid SSID: String) {
        self.init(ssid: SSID, prefix: "", passphrase: nil, isWEP: false)
    }

    /// A protected network. WPA passphrases have 8 to 63 characters or 64 hexadecimal digits.
    ///
    /// Which generation of WPA it is, is for the phone to find out from what the network offers.
    public convenience init(ssid SSID: String, passphrase: String, isWEP: Bool) {
        self.init(ssid: SSID, prefix: "", passphrase: passphrase, isWEP: isWEP)
    }

    /// An open network whose name begins so; at least 3 characters.
    public convenience init(ssidPrefix SSIDPrefix: String) {
        self.init(ssid: "", prefix: SSIDPrefix, passphrase: nil, isWEP: false)
    }

    /// A protected network whose name begins so; at least 3 characters.
    public convenience init(ssidPrefix SSIDPrefix: String, passphrase: String, isWEP: Bool) {
        self.init(ssid: "", prefix: SSIDPrefix, passphrase: passphrase, isWEP: isWEP)
    }

    /// Whether the network is left and forgotten when the app ends.
    public var joinOnce: Bool {
        get { once.withLock { $0 } }
        set { once.withLock { $0 = newValue } }
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
