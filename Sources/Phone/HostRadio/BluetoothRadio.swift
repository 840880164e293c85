import BoardProtocol
import Foundation
import RadioModel

/// The Bluetooth of a phone. Every method throws ``RadioModel/RadioError``.
package protocol BluetoothRadio: Sendable {
    /// The events of Bluetooth, in order. Only one reader may consume them.
    var events: AsyncStream<RadioEvent> { get }

    /// Switches Bluetooth on or off. Off ends pairings, attempts to connect and links; calls then throw `bluetoothOff`.
    func setBluetoothPower(_ isOn: Bool) async throws
    /// Switches Bluetooth off without a word to the peers, as an empty battery does: they lose their links by their
    /// supervision timeout.
    func cutBluetoothPower() async throws
    /// Starts discovery of LE devices. Each advertisement is an event.
    func startDiscovery() async throws
    func stopDiscovery() async throws
    /// Connects. Returns when the link is up, and encrypted if the phone has a bond: no service is discovered yet.
    func connect(_ device: DeviceAddress) async throws
    func disconnect(_ device: DeviceAddress) async throws
    /// Pairs. Returns when the key exists. May ask by ``RadioEvent/askPairing(_:)``,
    /// ``RadioEvent/confirmPasskey(_:passkey:)`` or ``RadioEvent/enterPasskey(_:)`` before that, or show a number by
    /// ``RadioEvent/showPasskey(_:passkey:)``.
    func pair(_ device: DeviceAddress) async throws -> Bond
    /// Gives the person's answer to ``RadioEvent/askPairing(_:)`` or ``RadioEvent/confirmPasskey(_:passkey:)``.
    func answerPairing(_ device: DeviceAddress, accept: Bool) async throws
    /// Gives the number that the person entered after ``RadioEvent/enterPasskey(_:)``, 0 to 999999; nil if the person
    /// cancelled. Nil also cancels a pairing that shows a number.
    func enterPasskey(_ device: DeviceAddress, _ passkey: UInt32?) async throws
    /// Connects to a paired device also by classic Bluetooth, and describes that link. The link need not stay.
    ///
    /// - Parameter port: Of the channel that is opened for it (PSM).
    func bridge(_ device: DeviceAddress, port: UInt16) async throws -> ClassicLink
    /// Deletes the bond and all data about the device. If Bluetooth is off, this happens when it is on again.
    func forget(_ device: DeviceAddress) async throws
    /// Discovers the primary services of a connected device, without their contents.
    ///
    /// A radio may answer by what it remembers: see ``forgetServices(of:)``.
    ///
    /// - Parameter wanted: Only services with these UUIDs; nil for all.
    func discoverServices(_ wanted: [BluetoothUUID]?, of device: DeviceAddress) async throws -> [GATTService]
    /// Discovers the services that a service includes, without their contents.
    ///
    /// - Parameter service: The handle of a service that was discovered.
    func discoverIncludedServices(ofService service: UInt16, of device: DeviceAddress) async throws -> [GATTService]
    /// Discovers the characteristics of a service, without their descriptors.
    ///
    /// - Parameters:
    ///   - wanted: Only characteristics with these UUIDs; nil for all.
    ///   - service: The handle of a service that was discovered.
    func discoverCharacteristics(
        _ wanted: [BluetoothUUID]?, ofService service: UInt16, of device: DeviceAddress
    ) async throws -> [GATTCharacteristic]
    /// Discovers the descriptors of a characteristic that was discovered.
    func discoverDescriptors(
        of characteristic: CharacteristicID, of device: DeviceAddress
    ) async throws -> [GATTDescriptor]
    /// Forgets what the radio remembers of a device's services. It remembers them over links if the device has no
    /// Service Changed (2A05), so that it could not report other ones.
    func forgetServices(of device: DeviceAddress) async throws
    /// Reads a connected device's own name (Device Name, 2A00); nil if it has none. Needs no discovery.
    func readName(of device: DeviceAddress) async throws -> Data?
    /// Reads a value. As each function for attributes, it pairs first if the device demands that, and asks the person
    /// as ``pair(_:)`` does. If pairing fails, it throws the device's own error.
    func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data
    func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool) async throws
    func setNotifying(_ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress) async throws
    func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data
    func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws
    /// Opens an L2CAP channel over the LE link to a connected device.
    ///
    /// - Parameter port: Of the channel (PSM).
    func openChannel(to device: DeviceAddress, port: UInt16) async throws -> any RadioChannel
    /// The link's ATT MTU in bytes, 23 to 517. ``RadioEvent/mtuChanged(_:_:)`` reports a later change.
    func mtu(of device: DeviceAddress) async throws -> Int
    /// Changes the connection parameters of the link to a connected device, as its central.
    func setConnectionParameters(_ parameters: ConnectionParameters, of device: DeviceAddress) async throws
    /// Answers ``RadioEvent/parametersRequested(_:_:)``.
    ///
    /// - Parameter own: The phone's own parameters, which stay; nil to grant the request.
    func answerParameters(
        _ wanted: ConnectionParameters, of device: DeviceAddress, keeping own: ConnectionParameters?) async throws
    /// The signal strength of a connected device in dBm.
    func signal(of device: DeviceAddress) async throws -> Int
}
