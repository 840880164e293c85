import BoardAgent
import BoardProtocol
import Foundation
import HILBlueZ
import HILTiming
import PeripheralModel
import RadioModel

/// A radio for tests: it records all calls.
final class NotedRadio: AccessoryRadio {
    static let address = DeviceAddress("02:00:00:00:00:07")!

    let adapter = AdapterID.first
    let asked = EventLog<String>()
    let told = EventLog<PeripheralEvent>()
    let notified = EventLog<Notified>()

    struct Notified: Sendable, Equatable {
        var value: Data
        var place: AttributePlace
    }

    func tell(_ event: Data) {
        if let event = try? JSONDecoder().decode(PeripheralEvent.self, from: event) { told.append(event) }
    }
    func address() async throws(RadioError) -> DeviceAddress { Self.address }
    func setTransports(_ transports: AdapterTransports) async throws(RadioError) {
        asked.append("transports \(transports.hasPrivateAddress) \(transports.hasSecureConnections)")
    }
    func setPairable(_ isPairable: Bool) async throws(RadioError) { asked.append("pairable \(isPairable)") }
    func setCapability(_ capability: PairingCapability) async throws(RadioError) { asked.append(capability.rawValue) }
    func advertise(_ content: AdvertisedContent) async throws(RadioError) {
        asked.append("advertise \(content.name) \(content.serviceUUIDs.count)")
    }
    func stopAdvertising() async throws(RadioError) { asked.append("silent") }
    func pauseAdvertising() async throws(RadioError) { asked.append("pause") }
    func withdrawAttributes() async throws(RadioError) { asked.append("withdraw") }
    func offerAttributes() async throws(RadioError) { asked.append("offer") }
    func setName(_ name: String) async throws(RadioError) { asked.append("name \(name)") }
    func askToPair(_ phone: DeviceAddress) async throws(RadioError) { asked.append("ask to pair") }
    func forgetBonds() async throws(RadioError) { asked.append("forget") }
    func renewIdentity() async throws(RadioError) { asked.append("renew") }
    func setClient(_ isClient: Bool, hasDeviceInformation: Bool) async throws(RadioError) {}
    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws(RadioError) {
        asked.append("parameters \(parameters.map { "\($0)" } ?? "any")")
    }
    func disconnect(_ phone: DeviceAddress?) async throws(RadioError) { asked.append("disconnect") }
    func notify(_ value: Data, of characteristic: BluetoothUUID) {}
    func notify(_ value: Data, at place: AttributePlace) { notified.append(Notified(value: value, place: place)) }
    func listen(
        at port: UInt16?, needing protection: LinkProtection, accept: @escaping @Sendable (LEChannel) -> Void
    ) async throws(RadioError) -> LEChannelListener { throw .unsupported("no channels here") }
    func openChannel(to phone: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel {
        throw .unsupported("no channels here")
    }
    func find(_ service: BluetoothUUID, within limit: Duration) async throws(RadioError) -> DeviceAddress {
        throw .unsupported("nobody is here")
    }
    func connect(to device: DeviceAddress) async throws(RadioError) {}
    func read(_ characteristic: BluetoothUUID, of device: DeviceAddress) async throws(RadioError) -> Data { Data() }
    func write(
        _ value: Data, to characteristic: BluetoothUUID, of device: DeviceAddress, withResponse: Bool
    ) async throws(RadioError) {}
    func setNotifying(
        _ isOn: Bool, for characteristic: BluetoothUUID, of device: DeviceAddress
    ) async throws(RadioError) {}
    func requireWiFi() throws(RadioError) {}
    func openNetwork(_ network: NetworkConfiguration) async throws { asked.append("open \(network.ssid)") }
    func closeNetwork(ssid: String) async throws { asked.append("close \(ssid)") }
    func joinNetwork(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        asked.append("join \(credentials.ssid)")
        return WiFiLink(
            ssid: credentials.ssid, bssid: DeviceAddress("02:00:00:00:03:00")!, keyManagement: "WPA2-PSK",
            address: "192.168.1.11", router: "192.168.1.1")
    }
    func leaveNetwork() async { asked.append("leave") }
    func setBands(_ bands: Set<WiFiBand>) async {
        if bands != .all { asked.append("bands \(bands.map(\.description).sorted().joined(separator: " "))") }
    }
    func scanNetworks() async throws -> [WiFiNetwork] {
        asked.append("scan")
        return [
            WiFiNetwork(
                ssid: "Home", bssid: DeviceAddress("02:00:00:00:00:09")!, frequency: 2412, signal: -40, security: .wpa2)
        ]
    }
    func closeNetworks() async throws { asked.append("close all") }
    func offerServices(_ services: [BonjourService]) async throws {
        asked.append("services \(services.map(\.name).joined(separator: " "))")
    }
    func exchange(_ request: Data, with service: BonjourName) async throws -> Data {
        asked.append("exchange with \(service)")
        return request
    }
    func changePassphrase(of ssid: String, to passphrase: String) async throws { asked.append("passphrase \(ssid)") }
}
