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

        public init(
            _ network: WiFiNetwork, passphrase: String? = nil, givesAddress: Bool = true,
            onRequest: (@Sendable (Data) -> Data)? = nil, onStream: (@Sendable (InMemoryStream) -> Void)? = nil
        ) {
            self.network = network
            self.passphrase = passphrase
            self.givesAddress = givesAddress
            self.onRequest = onRequest
            self.onStream = onStream
        }
    }

    fileprivate struct State {
        var devices: [DeviceAddress: Device] = [:]
        var order: [DeviceAddress] = []
        var networks: [Network] = []
        var isPowered = true
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
    }

    fileprivate struct Subscription: Hashable {
        let device: DeviceAddress
        let characteristic: CharacteristicID
    }

    public let events: AsyncStream<RadioEvent>
    private let continuation: AsyncStream<RadioEvent>.Continuation
    private let state = Mutex(State())

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

    // MARK: Bluetooth

    public func setBluetoothPower(_ isOn: Bool) async throws {
        let lost = state.withLock { state in
            state.isPowered = isOn
            guard !isOn else { return Set<DeviceAddress>() }
            state.isDiscovering = false
            defer { state.connected = [] }
            return state.connected
        }
        for device in lost { continuation.yield(.disconnected(device, reason: "adapter powered off")) }
        continuation.yield(.bluetoothPower(isOn))
    }

    public func startDiscovery() async throws {
        let heard = try state.withLock { state in
            guard state.isPowered else { throw RadioError.invalid("Bluetooth is off") }
            state.isDiscovering = true
            return state.order.compactMap { state.devices[$0]?.advertisement }
        }
        for advertisement in heard { continuation.yield(.advertisement(advertisement)) }
    }

    public func stopDiscovery() async throws { state.withLock { $0.isDiscovering = false } }

    public func connect(_ device: DeviceAddress) async throws {
        let isNew = try state.withLock { state in
            guard state.isPowered else { throw RadioError.invalid("Bluetooth is off") }
            guard let peer = state.devices[device] else { throw RadioError.unknownDevice(device) }
            guard peer.isConnectable else { throw RadioError.connectionFailed("page timeout") }
            return state.connected.insert(device).inserted
        }
        if isNew { continuation.yield(.connected(device)) }
    }

    public func disconnect(_ device: DeviceAddress) async throws {
        let (wasConnected, waiting) = state.withLock { state in
            state.notifying = state.notifying.filter { $0.device != device }
            return (state.connected.remove(device) != nil, state.passkeyAnswers.removeValue(forKey: device))
        }
        waiting?.resume(returning: false)
        if wasConnected { continuation.yield(.disconnected(device, reason: "terminated by this end")) }
    }

    public func pair(_ device: DeviceAddress) async throws -> Bond {
        guard let peer = state.withLock({ $0.devices[device] }) else { throw RadioError.unknownDevice(device) }
        try await connect(device)
        switch peer.pairing {
        case .refuses(let reason): throw RadioError.pairingFailed(reason)
        case .justWorks: break
        case .compares(let passkey):
            let isConfirmed = await withCheckedContinuation { answer in
                state.withLock { $0.passkeyAnswers[device] = answer }
                continuation.yield(.confirmPasskey(device, passkey: passkey))
            }
            guard isConfirmed else { throw RadioError.pairingFailed("the numbers were not confirmed") }
        }
        let bond = Bond(isSecureConnections: true, isAuthenticated: peer.pairing != .justWorks)
        let identity = peer.identity ?? device
        state.withLock { state in
            if identity != device { state.rename(device, to: identity) }
            state.bonds[identity] = bond
        }
        if identity != device { continuation.yield(.addressChanged(device, to: identity)) }
        continuation.yield(.bonded(identity, bond))
        return bond
    }

    public func bridge(_ device: DeviceAddress) async throws -> BridgeLink {
        try state.withLock { state in
            let address = state.current(device)
            guard let peer = state.devices[address] else { throw RadioError.unknownDevice(address) }
            guard let bond = state.bonds[address], let keySize = peer.classicKeySize else {
                throw RadioError.pairingFailed("no key for classic Bluetooth came of it")
            }
            return BridgeLink(address: address, key: bond, keySize: keySize)
        }
    }

    public func answerPairing(_ device: DeviceAddress, accept: Bool) async throws {
        guard let answer = state.withLock({ $0.passkeyAnswers.removeValue(forKey: device) }) else {
            throw RadioError.invalid("no number of \(device) waits for an answer")
        }
        answer.resume(returning: accept)
    }

    public func forget(_ device: DeviceAddress) async throws {
        let address = state.withLock { $0.current(device) }
        try await disconnect(address)
        state.withLock { $0.bonds[address] = nil }
    }

    public func services(of device: DeviceAddress) async throws -> [GATTService] { try peer(device).services }

    public func read(_ characteristic: CharacteristicID, of device: DeviceAddress) async throws -> Data {
        let peer = try peer(device, touching: characteristic)
        // 0x01: invalid handle.
        guard let value = peer.values[characteristic] else { throw RadioError.attribute(code: 0x01) }
        return value
    }

    public func write(
        _ value: Data, to characteristic: CharacteristicID, of device: DeviceAddress, withResponse: Bool
    ) async throws {
        let peer = try peer(device, touching: characteristic)
        state.withLock { $0.devices[device]?.values[characteristic] = value }
        peer.onWrite?(characteristic, value)
    }

    public func setNotifying(_ isOn: Bool, for characteristic: CharacteristicID, of device: DeviceAddress) async throws
    {
        _ = try peer(device, touching: characteristic)
        let subscription = Subscription(device: device, characteristic: characteristic)
        state.withLock { state in
            if isOn { state.notifying.insert(subscription) } else { state.notifying.remove(subscription) }
        }
    }

    public func read(_ descriptor: DescriptorID, of device: DeviceAddress) async throws -> Data {
        // 0x01: invalid handle.
        guard let value = try peer(device).descriptorValues[descriptor] else { throw RadioError.attribute(code: 0x01) }
        return value
    }

    public func write(_ value: Data, to descriptor: DescriptorID, of device: DeviceAddress) async throws {
        _ = try peer(device)
        state.withLock { $0.devices[$0.current(device)]?.descriptorValues[descriptor] = value }
    }

    public func mtu(of device: DeviceAddress) async throws -> Int { try peer(device).mtu }

    public func signal(of device: DeviceAddress) async throws -> Int {
        guard let signal = try peer(device).advertisement.rssi else { throw RadioError.rig("the device has no signal") }
        return signal
    }

    /// A connected device, which lets the phone touch that characteristic.
    private func peer(_ device: DeviceAddress, touching characteristic: CharacteristicID? = nil) throws -> Device {
        try state.withLock { state in
            let device = state.current(device)
            guard let peer = state.devices[device], state.connected.contains(device) else {
                throw RadioError.notConnected
            }
            if let characteristic, peer.protected.contains(characteristic), state.bonds[device] == nil {
                // 0x05: insufficient authentication.
                throw RadioError.attribute(code: 0x05)
            }
            return peer
        }
    }

    // MARK: Wi-Fi

    public func discoverWiFiAware(_ isOn: Bool) async throws {
        let heard = try state.withLock { state in
            guard state.hasWiFiAware else { throw RadioError.unsupported("this radio has no Wi-Fi Aware") }
            state.isDiscoveringAware = isOn
            return isOn ? state.awareServices : []
        }
        for service in heard { continuation.yield(.wifiAware(service)) }
    }

    public func scanWiFi() async throws -> [WiFiNetwork] { state.withLock { $0.networks.map(\.network) } }

    public func joinWiFi(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        try state.withLock { state in
            let ssid = credentials.ssid
            guard let peer = state.networks.first(where: { NetworkName.areEqual($0.network.ssid, ssid) }) else {
                throw RadioError.networkNotFound(ssid: ssid)
            }
            guard peer.passphrase == credentials.passphrase else { throw RadioError.wrongPassphrase(ssid: ssid) }
            guard peer.givesAddress else { throw RadioError.noAddress(ssid: ssid) }
            let keyManagement =
                switch peer.network.security {
                case .open: "NONE"
                case .wpa2: "WPA2-PSK"
                case .wpa3, .wpa2wpa3: "SAE"
                }
            let link = WiFiLink(
                ssid: ssid, bssid: peer.network.bssid, keyManagement: keyManagement, address: "192.0.2.2",
                router: "192.0.2.1")
            state.link = link
            return link
        }
    }

    public func leaveWiFi() async throws { state.withLock { $0.link = nil } }

    public func exchange(_ request: Data, with address: String, port: UInt16) async throws -> Data {
        let peer = state.withLock { state in
            state.networks.first { $0.network.ssid == state.link?.ssid && state.link?.router == address }
        }
        guard let answer = peer?.onRequest else { throw RadioError.noAnswer(address) }
        return answer(request)
    }

    public func openStream(to address: String, port: UInt16) async throws -> any RadioStream {
        let stream = InMemoryStream(port: port)
        let accept = try state.withLock { state in
            guard let link = state.link else { throw RadioError.notConnected }
            guard link.router == address else {
                throw RadioError.streamFailed(code: EHOSTUNREACH, reason: "nobody is at \(address)")
            }
            guard let accept = state.networks.first(where: { $0.network.ssid == link.ssid })?.onStream else {
                throw RadioError.streamFailed(code: ECONNREFUSED, reason: "\(address):\(port) takes no connections")
            }
            state.streams.append(stream)
            return accept
        }
        accept(stream)
        return stream
    }
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
