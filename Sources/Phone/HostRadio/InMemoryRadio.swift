import BoardProtocol
import Foundation
import HILTiming
import PeripheralModel
import RadioModel
import Synchronization

/// Radios without a board, for unit tests. The test adds the devices and networks within reach.
///
/// Nothing takes time. The test also triggers a device's own actions: vanish, notify, lose the link.
package final class InMemoryRadio: HostRadio {
    /// A device within reach.
    package struct Device: Sendable {
        /// The device's answer to a pairing request.
        package enum Pairing: Sendable, Hashable {
            /// Shows this six-digit number for comparison.
            case compares(passkey: UInt32)
            /// Shows this number, and the person enters it on the phone.
            case shows(passkey: UInt32)
            /// The phone shows this number, and the person enters it on the device, until the phone cancels.
            case asks(passkey: UInt32)
            /// Accepts without a number.
            case justWorks
            /// Answers `Pairing Failed` with this reason.
            case refuses(String)
        }

        package var advertisement: Advertisement
        /// The advertisement as the radio reports it.
        var reported: Advertisement {
            var reported = advertisement
            reported.isConnectable = isConnectable
            return reported
        }
        package var pairing: Pairing
        package var services: [GATTService]
        /// The values of characteristics that can be read.
        package var values: [CharacteristicID: Data]
        /// Characteristics that only a bonded phone may read, write or subscribe to.
        package var protected: Set<CharacteristicID>
        /// The values of descriptors that can be read.
        package var descriptorValues: [DescriptorID: Data] = [:]
        /// The identity address, which only a paired phone knows; nil if the device has no private address.
        package var identity: DeviceAddress?
        /// The size in bytes of the key for classic Bluetooth that LE pairing gives; nil if it gives none.
        package var classicKeySize: Int?
        /// The ATT MTU in bytes.
        package var mtu: Int
        /// Whether the device accepts connections.
        package var isConnectable: Bool
        /// Runs before the device answers any request for its attributes; the phone waits for it. It may throw the
        /// device's refusal.
        package var beforeAttributes: (@Sendable (AttributeRequest) async throws -> Void)?
        /// Called with the device's end of an L2CAP channel that the phone opens, by port; other ports are refused.
        package var channels: [UInt16: @Sendable (InMemoryChannel) -> Void] = [:]
        /// Called with each written value, on the task of the writer.
        package var onWrite: (@Sendable (CharacteristicID, Data) -> Void)?

        package init(
            _ advertisement: Advertisement, pairing: Pairing = .compares(passkey: 123_456),
            services: [GATTService] = [], values: [CharacteristicID: Data] = [:],
            protected: Set<CharacteristicID> = [], mtu: Int = 247, isConnectable: Bool = true,
            onWrite: (@Sendable (CharacteristicID, Data) -> Void)? = nil
        ) {
            self.advertisement = advertisement
            self.pairing = pairing
            self.services = services
            self.values = values
            self.protected = protected
            self.mtu = mtu
            self.isConnectable = isConnectable
            self.onWrite = onWrite
        }
    }

    /// A request for the attributes of a device.
    package enum AttributeRequest: Sendable, Hashable {
        case name, services
        /// Each with the handle of the service.
        case includedServices(UInt16), characteristics(UInt16)
        case descriptors(CharacteristicID)
    }

    /// A network within reach.
    package struct Network: Sendable {
        package var network: WiFiNetwork
        package var passphrase: String?
        /// Whether it hides its name.
        package var isHidden = false
        /// The password that a login has to have; nil for a network without logins.
        package var password: String?
        /// Whether the network's DHCP server answers.
        package var givesAddress: Bool
        /// Answers a request to the network's router; nil gives no answer.
        package var onRequest: (@Sendable (Data) -> Data)?
        /// Accepts TCP connections to the network's router; nil refuses them.
        package var onStream: (@Sendable (InMemoryStream) -> Void)?
        /// Runs before the router answers a connection; the phone waits for it.
        package var beforeStream: (@Sendable () async -> Void)?
        /// Accepts TCP connections to this address beyond the router, or refuses them (`false`); nil: there is no
        /// route.
        package var internet: (address: String, accept: @Sendable (InMemoryStream) -> Bool)?

        package init(
            _ network: WiFiNetwork, passphrase: String? = nil, givesAddress: Bool = true,
            onRequest: (@Sendable (Data) -> Data)? = nil, onStream: (@Sendable (InMemoryStream) -> Void)? = nil,
            internet: (address: String, accept: @Sendable (InMemoryStream) -> Bool)? = nil
        ) {
            self.internet = internet
            self.network = network
            self.passphrase = passphrase
            self.givesAddress = givesAddress
            self.onRequest = onRequest
            self.onStream = onStream
        }
    }

    struct State {
        /// The services of devices that do not report changes of them.
        var kept = KeptServices()
        /// The properties of the radio that accessories see.
        var personality = RadioPersonality()
        var devices: [DeviceAddress: Device] = [:]
        var order: [DeviceAddress] = []
        var networks: [Network] = []
        var isPowered = true
        /// Whether an event tells of each switch of Bluetooth.
        var tellsPower = true
        var isWiFiPowered = true
        var isDiscovering = false { didSet { changes.append(()) } }
        var connected: Set<DeviceAddress> = [] { didSet { changes.append(()) } }
        /// An event for each change of the two before.
        let changes = EventLog<Void>(keepingAtMost: 2)
        var bonds: [DeviceAddress: Bond] = [:]
        /// The identity address of each private address that has been resolved.
        var identities: [DeviceAddress: DeviceAddress] = [:]
        var notifying: Set<Subscription> = []
        var answers: [DeviceAddress: CheckedContinuation<Bool, Never>] = [:]
        /// The parameters that the phone has set, by connected device.
        var parameters: [DeviceAddress: ConnectionParameters] = [:]
        /// Pairings that wait for a number from the person.
        var entries: [DeviceAddress: CheckedContinuation<UInt32?, Never>] = [:]
        var link: WiFiLink? { didSet { if link != oldValue { endStreams() } } }
        /// The open connections over the joined network.
        var streams: [InMemoryStream] = []
        var local = LocalNetwork()
        var awareServices: [WiFiAwareService] = []
        var isDiscoveringAware = false
        var hasWiFiAware = true
        /// The error of a rig whose Wi-Fi has broken down.
        var wifiFault: RadioError?
        /// Why the phone cannot publish anything; nil if it can.
        var publishingRefusal: RadioError?
    }

    struct Subscription: Hashable {
        let device: DeviceAddress
        let characteristic: CharacteristicID
    }

    package let events: AsyncStream<RadioEvent>
    let continuation: AsyncStream<RadioEvent>.Continuation
    let state = Mutex(State())
    package let peripheralEvents: AsyncStream<PeripheralEvent>
    let peripheralContinuation: AsyncStream<PeripheralEvent>.Continuation
    /// The commands to the phone as a peripheral, in order.
    package let peripheralCommands = EventLog<PeripheralRadioCommand>()
    /// The L2CAP channels for which the phone listened.
    package let publishedChannels = EventLog<PeripheralChannel>()

    package init() {
        (events, continuation) = AsyncStream<RadioEvent>.makeStream()
        (peripheralEvents, peripheralContinuation) = AsyncStream<PeripheralEvent>.makeStream()
    }

    // MARK: For tests

    /// Puts a device within reach, or replaces the device with the same address. It is reported if discovery runs.
    package func add(_ device: Device) {
        let isHeard = state.withLock { state in
            let address = device.advertisement.address
            if state.devices.updateValue(device, forKey: address) == nil { state.order.append(address) }
            return state.isDiscovering
        }
        if isHeard { continuation.yield(.advertisement(device.reported)) }
    }

    /// Puts a Wi-Fi network within reach.
    package func add(_ network: Network) { state.withLock { $0.networks.append(network) } }

    /// Puts a Wi-Fi Aware service within reach. It is reported if the phone searches for services.
    package func add(_ service: WiFiAwareService) {
        let isHeard = state.withLock { state in
            state.awareServices.append(service)
            return state.isDiscoveringAware
        }
        if isHeard { continuation.yield(.wifiAware(service)) }
    }

    /// Whether the radio supports Wi-Fi Aware.
    package var hasWiFiAware: Bool {
        get { state.withLock { $0.hasWiFiAware } }
        set { state.withLock { $0.hasWiFiAware = newValue } }
    }

    /// The device changes its private address. A bonded phone still sees it under its identity address.
    package func rotate(_ address: DeviceAddress, to next: DeviceAddress) {
        let heard: Advertisement? = state.withLock { state in
            let current = state.current(address)
            guard let device = state.devices[current] else { return nil }
            if device.identity == current {
                state.identities[next] = current
            } else {
                state.rename(current, to: next)
            }
            return state.isDiscovering ? state.devices[state.current(next)]?.reported : nil
        }
        if let heard { continuation.yield(.advertisement(heard)) }
    }

    /// Moves a device out of reach. Its link is lost.
    package func remove(_ address: DeviceAddress) {
        let wasConnected = state.withLock { state in
            state.devices[address] = nil
            state.order.removeAll { $0 == address }
            return state.connected.remove(address) != nil
        }
        if wasConnected { continuation.yield(.disconnected(address, reason: "connection timeout")) }
    }

    /// Removes a network. If the phone had joined it, the phone loses it.
    package func removeNetwork(ssid: String) {
        let wasJoined = state.withLock { state in
            state.networks.removeAll { $0.network.ssid == ssid }
            guard state.link?.ssid == ssid else { return false }
            state.link = nil
            return true
        }
        if wasJoined { continuation.yield(.wifiLost(ssid: ssid, reason: "beacon loss")) }
    }

    /// The device notifies a value. Returns false if the phone has not subscribed.
    @discardableResult
    package func notify(_ value: Data, from characteristic: CharacteristicID, of device: DeviceAddress) -> Bool {
        let isSubscribed = state.withLock {
            $0.notifying.contains(Subscription(device: device, characteristic: characteristic))
        }
        if isSubscribed { continuation.yield(.valueChanged(device, characteristic, value: value)) }
        return isSubscribed
    }

    /// Changes the ATT MTU of a device, in bytes, without an event.
    package func setMTU(_ mtu: Int, of device: DeviceAddress) {
        state.withLock { $0.devices[$0.current(device)]?.mtu = mtu }
    }

    /// Sends an event of the radio to the phone.
    package func emit(_ event: RadioEvent) {
        state.withLock { $0.kept.note(event) }
        continuation.yield(event)
    }

    /// An event each time that ``isDiscovering`` or ``connected`` may have changed.
    package var changes: EventLog<Void> { state.withLock { $0.changes } }
    package var isDiscovering: Bool { state.withLock { $0.isDiscovering } }
    package var isDiscoveringWiFiAware: Bool { state.withLock { $0.isDiscoveringAware } }
    package var bonds: [DeviceAddress: Bond] { state.withLock { $0.bonds } }
    package var connected: Set<DeviceAddress> { state.withLock { $0.connected } }
    /// The connection parameters that the phone has set.
    package func parameters(of device: DeviceAddress) -> ConnectionParameters? {
        state.withLock { $0.parameters[device] }
    }
    package var link: WiFiLink? { state.withLock { $0.link } }
}

extension InMemoryRadio.State {
    /// Ends all connections, because the network is lost or the phone has joined another.
    mutating func endStreams() {
        for stream in streams { stream.fail() }
        streams = []
    }

    /// The address under which a device is stored now.
    func current(_ address: DeviceAddress) -> DeviceAddress { identities[address] ?? address }

    /// Changes the address under which a device is stored.
    mutating func rename(_ old: DeviceAddress, to new: DeviceAddress) {
        guard var device = devices.removeValue(forKey: old) else { return }
        device.advertisement.address = new
        devices[new] = device
        order = order.map { $0 == old ? new : $0 }
        if connected.remove(old) != nil { connected.insert(new) }
        if device.identity == new { identities[old] = new }
    }
}
