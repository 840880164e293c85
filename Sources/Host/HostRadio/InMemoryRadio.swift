import BoardProtocol
import Foundation
import RadioModel
import Synchronization

/// Radios without a board, for unit tests: devices and networks are what the test puts there.
///
/// Nothing takes time. What a device does unasked (vanishing, notifying, losing the link) is a call of the test.
public final class InMemoryRadio: HostRadio {
    /// A device within reach.
    public struct Device: Sendable {
        /// What it answers to a pairing request.
        public enum Pairing: Sendable, Hashable {
            /// Shows this number for comparison.
            case compares(passkey: UInt32)
            /// Agrees without a number.
            case justWorks
            /// `Pairing Failed`, with this reason.
            case refuses(String)
        }

        public var advertisement: Advertisement
        public var pairing: Pairing
        public var services: [GATTService]
        /// The readable values.
        public var values: [CharacteristicID: Data]
        /// Characteristics that only a bonded phone may touch.
        public var protected: Set<CharacteristicID>
        /// The readable values of descriptors.
        public var descriptorValues: [DescriptorID: Data] = [:]
        /// The address that a paired phone knows it by; nil if it has no private address.
        public var identity: DeviceAddress?
        /// Its key for classic Bluetooth that pairing by LE makes; nil if it has none.
        public var classicKeySize: Int?
        /// The ATT MTU, bytes.
        public var mtu: Int
        /// Whether it takes connections.
        public var isConnectable: Bool
        /// Called with each write, on the writer's task.
        public var onWrite: (@Sendable (CharacteristicID, Data) -> Void)?

        public init(
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

    /// A network within reach.
    public struct Network: Sendable {
        public var network: WiFiNetwork
        public var passphrase: String?
        /// Whether its DHCP server answers.
        public var givesAddress: Bool
        /// Answers what is sent to its router.
        public var onRequest: (@Sendable (Data) -> Data)?
        /// Takes TCP connections to its router; nil refuses them.
        public var onStream: (@Sendable (InMemoryStream) -> Void)?
        /// Takes TCP connections to this address beyond its router, or refuses them (`false`); nil has no way there.
        public var internet: (address: String, accept: @Sendable (InMemoryStream) -> Bool)?

        public init(
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
        var devices: [DeviceAddress: Device] = [:]
        var order: [DeviceAddress] = []
        var networks: [Network] = []
        var isPowered = true
        var isWiFiPowered = true
        var isDiscovering = false
        var connected: Set<DeviceAddress> = []
        var bonds: [DeviceAddress: Bond] = [:]
        /// Who has told by which private address who it is.
        var identities: [DeviceAddress: DeviceAddress] = [:]
        var notifying: Set<Subscription> = []
        var passkeyAnswers: [DeviceAddress: CheckedContinuation<Bool, Never>] = [:]
        var link: WiFiLink? { didSet { if link != oldValue { endStreams() } } }
        /// Connections over the network that the phone is on.
        var streams: [InMemoryStream] = []
        var awareServices: [WiFiAwareService] = []
        var isDiscoveringAware = false
        var hasWiFiAware = true
        /// What is wrong with the rig under the Wi-Fi.
        var wifiFault: RadioError?
    }

    struct Subscription: Hashable {
        let device: DeviceAddress
        let characteristic: CharacteristicID
    }

    public let events: AsyncStream<RadioEvent>
    let continuation: AsyncStream<RadioEvent>.Continuation
    let state = Mutex(State())

    public init() {
        (events, continuation) = AsyncStream<RadioEvent>.makeStream()
    }

    // MARK: What a test does

    /// Puts a device within reach, or changes the one of that address; it is heard if discovery runs.
    public func add(_ device: Device) {
        let isHeard = state.withLock { state in
            let address = device.advertisement.address
            if state.devices.updateValue(device, forKey: address) == nil { state.order.append(address) }
            return state.isDiscovering
        }
        if isHeard { continuation.yield(.advertisement(device.advertisement)) }
    }

    /// Puts a network within reach.
    public func add(_ network: Network) { state.withLock { $0.networks.append(network) } }

    /// Puts a Wi-Fi Aware service within reach; it is heard if somebody looks for one.
    public func add(_ service: WiFiAwareService) {
        let isHeard = state.withLock { state in
            state.awareServices.append(service)
            return state.isDiscoveringAware
        }
        if isHeard { continuation.yield(.wifiAware(service)) }
    }

    /// Whether the radio knows Wi-Fi Aware at all.
    public var hasWiFiAware: Bool {
        get { state.withLock { $0.hasWiFiAware } }
        set { state.withLock { $0.hasWiFiAware = newValue } }
    }

    /// The device takes another private address. A phone that has its bond hears it under its own address all the same.
    public func rotate(_ address: DeviceAddress, to next: DeviceAddress) {
        let heard: Advertisement? = state.withLock { state in
            let current = state.current(address)
            guard let device = state.devices[current] else { return nil }
            if device.identity == current {
                state.identities[next] = current
            } else {
                state.rename(current, to: next)
            }
            return state.isDiscovering ? state.devices[state.current(next)]?.advertisement : nil
        }
        if let heard { continuation.yield(.advertisement(heard)) }
    }

    /// Takes a device out of reach; its link is lost.
    public func remove(_ address: DeviceAddress) {
        let wasConnected = state.withLock { state in
            state.devices[address] = nil
            state.order.removeAll { $0 == address }
            return state.connected.remove(address) != nil
        }
        if wasConnected { continuation.yield(.disconnected(address, reason: "connection timeout")) }
    }

    /// Takes a network away; who was on it loses it.
    public func removeNetwork(ssid: String) {
        let wasJoined = state.withLock { state in
            state.networks.removeAll { $0.network.ssid == ssid }
            guard state.link?.ssid == ssid else { return false }
            state.link = nil
            return true
        }
        if wasJoined { continuation.yield(.wifiLost(ssid: ssid, reason: "beacon loss")) }
    }

    /// The device notifies a value; false if nobody subscribed.
    @discardableResult
    public func notify(_ value: Data, from characteristic: CharacteristicID, of device: DeviceAddress) -> Bool {
        let isSubscribed = state.withLock {
            $0.notifying.contains(Subscription(device: device, characteristic: characteristic))
        }
        if isSubscribed { continuation.yield(.valueChanged(device, characteristic, value: value)) }
        return isSubscribed
    }

    /// Tells the phone something that the radio noticed.
    public func emit(_ event: RadioEvent) { continuation.yield(event) }

    public var isDiscovering: Bool { state.withLock { $0.isDiscovering } }
    public var isDiscoveringWiFiAware: Bool { state.withLock { $0.isDiscoveringAware } }
    public var bonds: [DeviceAddress: Bond] { state.withLock { $0.bonds } }
    public var connected: Set<DeviceAddress> { state.withLock { $0.connected } }
    public var link: WiFiLink? { state.withLock { $0.link } }
}

extension InMemoryRadio.State {
    /// The network went away, or the phone went to another.
    mutating func endStreams() {
        for stream in streams { stream.fail() }
        streams = []
    }

    /// What a device is called now.
    func current(_ address: DeviceAddress) -> DeviceAddress { identities[address] ?? address }

    /// A device is called otherwise from here on.
    mutating func rename(_ old: DeviceAddress, to new: DeviceAddress) {
        guard var device = devices.removeValue(forKey: old) else { return }
        device.advertisement.address = new
        devices[new] = device
        order = order.map { $0 == old ? new : $0 }
        if connected.remove(old) != nil { connected.insert(new) }
        if device.identity == new { identities[old] = new }
    }
}
