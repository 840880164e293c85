import Foundation
import HostRadio
import RadioModel

// Wi-Fi, by the host board.
extension PhoneRadio {
    package func setWiFiPower(_ isOn: Bool) async throws { try await wifi.setWiFiPower(isOn) }
    package func discoverWiFiAware(_ isOn: Bool) async throws { try await wifi.discoverWiFiAware(isOn) }
    package func scanWiFi(forHidden ssid: String?) async throws -> [WiFiNetwork] {
        try await wifi.scanWiFi(forHidden: ssid)
    }
    package func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try await wifi.joinWiFi(credentials)
    }
    package func leaveWiFi() async throws { try await wifi.leaveWiFi() }

    package func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        try await wifi.exchange(request, with: address, port: port)
    }

    package func openStream(
        to address: String, port: UInt16, by transport: InternetTransport
    ) async throws -> any RadioStream { try await wifi.openStream(to: address, port: port, by: transport) }

    package func browse(
        _ type: String, domain: String?, readingText readsText: Bool
    ) async throws -> any RadioBrowser { try await wifi.browse(type, domain: domain, readingText: readsText) }

    package func place(of service: BonjourName) async throws -> NetworkPlace { try await wifi.place(of: service) }
    package func address(ofHost name: String) async throws -> String { try await wifi.address(ofHost: name) }

    package func publish(
        _ service: BonjourService, renaming isRenamed: Bool
    ) async throws -> any RadioPublication { try await wifi.publish(service, renaming: isRenamed) }

    package func listen(at port: UInt16, by transport: InternetTransport) async throws -> any RadioListener {
        try await wifi.listen(at: port, by: transport)
    }
}
