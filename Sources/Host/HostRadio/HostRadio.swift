import BoardProtocol
import Foundation
import RadioModel
import Timing

/// What a phone needs of its radios.
///
/// Two implementations: ``BoardRadio``, a host board behind it, and ``InMemoryRadio`` for unit tests with a manual clock.
/// The phone's logic must not know which one it has. Every method throws ``RadioModel/RadioError``.
public protocol HostRadio: Sendable {
    /// Everything the radio notices, in order, for one consumer: the phone.
    var events: AsyncStream<RadioEvent> { get }

    /// Off ends what is under way: pairings, attempts to connect, links. What is asked of it then throws `bluetoothOff`.
    func setBluetoothPower(_ isOn: Bool) async throws
    /// Off ends an attempt to join, and leaves the network. What is asked of it then throws `wifiOff`.
    func setWiFiPower(_ isOn: Bool) async throws
    /// Starts discovery of LE devices; what is heard comes as events.
    func startDiscovery() async throws
    func stopDiscovery() async throws
    /// Returns when the link is up and the services are resolved.
    func connect(_ device: DeviceAddress) async throws
    func disconnect(_ device: DeviceAddress) async throws
    /// Returns when the bond is made. May ask through ``RadioEvent/confirmPasskey(_:passkey:)`` in between.
    func pair(_ device: DeviceAddress) async throws -> Bond
    /// The person's answer to ``RadioEvent/confirmPasskey(_:passkey:)``.
    func answerPairing(_ device: DeviceAddress, accept: Bool) async throws
    /// Connects to a paired device by classic Bluetooth too, and tells of the link; it need not stay.
    func bridge(_ device: DeviceAddress) async throws -> BridgeLink
    /// Deletes the bond and everything known of the device; while Bluetooth is off, as soon as it is on again.
    func forget(_ device: DeviceAddress) async throws
    func services(of device: DeviceAddress) async throws -> [GATTService]
    func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data
    func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool) async throws
    func setNotifying(_ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress) async throws
    func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data
    func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws
    /// The link's ATT MTU, bytes, 23 to 517.
    func mtu(of device: DeviceAddress) async throws -> Int
    /// How strongly a connected device is heard, dBm.
    func signal(of device: DeviceAddress) async throws -> Int

    /// Starts or stops to look for Wi-Fi Aware services; what is heard comes as events. Throws
    /// ``RadioModel/RadioError/unsupported(_:)`` where the radio cannot.
    func discoverWiFiAware(_ isOn: Bool) async throws
    func scanWiFi() async throws -> [WiFiNetwork]
    /// Joins and gets an address by DHCP. On failure the radio is on the network that it was on before, or on none.
    func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink
    func leaveWiFi() async throws
    /// Opens a TCP connection over the joined network, sends, and reads to the end, at most 1 MiB.
    func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data
    /// Opens a TCP connection over the joined network. Throws `streamFailed` where nobody accepts it, and `notConnected` where
    /// there is no network.
    func openStream(to address: String, port: UInt16) async throws -> any RadioStream
}
