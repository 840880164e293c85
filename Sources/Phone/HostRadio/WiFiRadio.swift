import BoardProtocol
import Foundation
import RadioModel

/// The Wi-Fi of a phone, with Wi-Fi Aware. Every method throws ``RadioModel/RadioError``.
package protocol WiFiRadio: LocalNetworkRadio {
    /// The events of Wi-Fi, in order. Only one reader may consume them.
    var events: AsyncStream<RadioEvent> { get }

    /// Switches Wi-Fi on or off. Off ends an attempt to join and leaves the network; calls then throw `wifiOff`.
    func setWiFiPower(_ isOn: Bool) async throws
    /// Starts or stops the search for Wi-Fi Aware services. Each one found is an event.
    ///
    /// Throws ``RadioModel/RadioError/unsupported(_:)`` if the radio has no Wi-Fi Aware.
    func discoverWiFiAware(_ isOn: Bool) async throws
    /// Scans for networks.
    ///
    /// - Parameter ssid: The name of a network that hides it, which the scan asks for; nil for none.
    func scanWiFi(forHidden ssid: String?) async throws -> [WiFiNetwork]
    /// Joins a network and gets an address by DHCP. After a failure the radio is on its former network, or on none.
    func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink
    func leaveWiFi() async throws
    /// Opens a TCP connection over the joined network, sends the request, and reads the answer to its end, at most 1
    /// MiB.
    func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data
    /// Opens a TCP connection over the joined network. Throws `streamFailed` if it is not accepted, and `notConnected`
    /// without a network.
    func openStream(to address: String, port: UInt16, by transport: InternetTransport) async throws -> any RadioStream
}

extension WiFiRadio {
    /// Scans for the networks that send their names.
    package func scanWiFi() async throws -> [WiFiNetwork] { try await scanWiFi(forHidden: nil) }
}
