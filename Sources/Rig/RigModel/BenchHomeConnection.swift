import BoardProtocol
import RadioModel

/// The home that a bench has: a router of ours with its own radio, or a real network.
package enum BenchHomeConnection: Sendable {
    /// A second radio of the host board, by its address.
    case radio(DeviceAddress)
    /// The agent of a further board, and the address of its radio.
    case board(BoardClient, radio: DeviceAddress)
    /// A network that somebody else runs.
    case network(RealHome)
}

/// A real network, with what a phone or an accessory needs to join it. Its passphrase is in no log and no report.
package struct RealHome: Sendable, Hashable {
    package var ssid: String
    package var security: WiFiSecurity
    /// nil for an open network.
    package var passphrase: String?

    package init(ssid: String, security: WiFiSecurity, passphrase: String?) {
        (self.ssid, self.security, self.passphrase) = (ssid, security, passphrase)
    }
}
