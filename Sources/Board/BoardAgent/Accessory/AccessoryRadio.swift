import BoardProtocol
import FoundationEssentials
import HILBlueZ
import RadioModel

/// The radios of an accessory. The agent provides them.
///
/// After the restart of a daemon, the agent restores what the accessory had on the air.
package protocol AccessoryRadio: Sendable {
    /// The Bluetooth adapter of this accessory. No other accessory uses it.
    var adapter: AdapterID { get }

    /// Sends an event to the accessory's handle in the scenario. May be called from any thread; the order is kept.
    func tell(_ event: Data)

    // MARK: Bluetooth

    /// The adapter's address.
    func address() async throws(RadioError) -> DeviceAddress

    /// Sets which transports the adapter uses. If something changes, all links end.
    func setTransports(_ transports: AdapterTransports) async throws(RadioError)

    /// Sets whether unknown devices can pair.
    func setPairable(_ isPairable: Bool) async throws(RadioError)

    /// Sets what the accessory can show and ask for during pairing; by default it shows a number and has a button for
    /// yes and no. All accessories of a board share this: the last one that sets it decides.
    func setCapability(_ capability: PairingCapability) async throws(RadioError)

    /// Starts connectable advertising, and offers ``AgentAccessory/attributes``.
    ///
    /// If it is already advertising, it starts again. If the address is private, it then uses another one.
    func advertise(_ content: AdvertisedContent) async throws(RadioError)

    /// Stops advertising, and ends all links.
    func stopAdvertising() async throws(RadioError)

    /// Stops advertising. Links stay.
    func pauseAdvertising() async throws(RadioError)

    /// Withdraws ``AgentAccessory/attributes``, so that the agent reads them again when it offers them the next time.
    func withdrawAttributes() async throws(RadioError)

    /// Offers ``AgentAccessory/attributes`` without advertising.
    func offerAttributes() async throws(RadioError)

    /// Sets the name that a phone reads over a link: the value of Device Name (2A00). What is advertised stays.
    ///
    /// - Parameter name: At most 248 bytes of UTF-8; empty for the name of the board.
    func setName(_ name: String) async throws(RadioError)

    /// Asks a connected phone to pair (Core Specification 6.0, Vol 3, Part H, 3.6.7: Security Request). Returns after
    /// the request; the results are events. A bonded phone encrypts the link with its existing key.
    func askToPair(_ phone: DeviceAddress) async throws(RadioError)

    /// Deletes all its bonds and ends all links. Phones are not notified.
    func forgetBonds() async throws(RadioError)

    /// Makes a new identity resolving key, so that no phone knows its private addresses any more. Ends all links. Does
    /// nothing for an accessory without a private address.
    func renewIdentity() async throws(RadioError)

    /// The connection intervals that it requests when a phone connects with another one; nil for those of Linux, which
    /// suit any phone. Linux requests them with the latency and the supervision timeout of the link.
    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws(RadioError)

    /// Ends the link of a phone; nil for all.
    func disconnect(_ phone: DeviceAddress?) async throws(RadioError)

    /// Notifies a value as below, of the characteristic at a place.
    func notify(_ value: Data, at place: AttributePlace)

    /// Listens for L2CAP channels over LE, until the result is released.
    ///
    /// - Parameters:
    ///   - port: 0x80 to 0xFF; nil for one that the kernel chooses.
    ///   - protection: What the link needs before a channel opens.
    ///   - accept: Called with each channel, on any thread; must return at once.
    func listen(
        at port: UInt16?, needing protection: LinkProtection, accept: @escaping @Sendable (LEChannel) -> Void
    ) async throws(RadioError) -> LEChannelListener

    /// Opens an L2CAP channel to a connected phone.
    func openChannel(to phone: DeviceAddress, port: UInt16) async throws(RadioError) -> LEChannel

    /// Notifies a value to all subscribed peers, at most the link's MTU minus 3 bytes. From any thread; the order is
    /// kept.
    func notify(_ value: Data, of characteristic: BluetoothUUID)

    // MARK: Bluetooth, as a client of phones

    /// Sets whether the services of a phone are discovered when one connects to the accessory, and whether the accessory
    /// has a Device Information service of its own; otherwise bluetoothd offers one. If something changes, bluetoothd
    /// restarts; then set the transports and everything else on the air again.
    func setClient(_ isClient: Bool, hasDeviceInformation: Bool) async throws(RadioError)

    // MARK: Bluetooth, as the central of a link, or as a client of a phone that connected

    /// Looks for a device that advertises a service, at most for `limit`.
    func find(_ service: BluetoothUUID, within limit: Duration) async throws(RadioError) -> DeviceAddress

    /// Connects to a device that was found, and returns when its services are discovered.
    func connect(to device: DeviceAddress) async throws(RadioError)

    /// Reads the first characteristic with this UUID of a connected device.
    func read(_ characteristic: BluetoothUUID, of device: DeviceAddress) async throws(RadioError) -> Data

    /// Writes the first characteristic with this UUID of a connected device.
    func write(
        _ value: Data, to characteristic: BluetoothUUID, of device: DeviceAddress, withResponse: Bool
    ) async throws(RadioError)

    /// Subscribes to the first characteristic with this UUID of a connected device, or unsubscribes. Values are
    /// reported by ``AccessoryInput/heard(_:_:)``.
    func setNotifying(
        _ isOn: Bool, for characteristic: BluetoothUUID, of device: DeviceAddress
    ) async throws(RadioError)

    // MARK: Wi-Fi

    /// - Throws: ``RadioModel/RadioError/unsupported(_:)`` if the accessory has no Wi-Fi: only the accessory of adapter
    ///   0 has it.
    func requireWiFi() throws(RadioError)

    /// Sets the bands that its Wi-Fi radio knows: it neither hears nor opens networks in another one. Does nothing without
    /// Wi-Fi.
    func setBands(_ bands: Set<WiFiBand>) async

    /// The networks of others that it hears now, strongest first. It cannot have a network of its own at the same time.
    func scanNetworks() async throws -> [WiFiNetwork]

    /// Opens a network. Returns when the network sends beacons and ``AgentAccessory/serve(on:)`` was called.
    func openNetwork(_ network: NetworkConfiguration) async throws

    /// Closes one of its networks. The stations are notified.
    func closeNetwork(ssid: String) async throws

    /// Closes all its networks, and leaves the one that it joined. Does nothing without Wi-Fi.
    func closeNetworks() async throws

    /// Restarts a network with another passphrase of 8 to 63 characters. Its stations are disconnected.
    ///
    /// An invalid passphrase changes nothing.
    func changePassphrase(of ssid: String, to passphrase: String) async throws

    /// Joins a network of others, gets an address there, and serves on it: ``AgentAccessory/serve(on:)``. It cannot have
    /// a network of its own at the same time.
    ///
    /// After a loss, it looks for the network every second and joins it again, until it leaves.
    func joinNetwork(_ credentials: WiFiCredentials) async throws -> WiFiLink

    /// Leaves the network that it joined. Does nothing if it joined none.
    func leaveNetwork() async

    /// Offers these services on all its networks by multicast DNS (Bonjour), in place of the previous ones. Networks
    /// that are opened later also offer them.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a name, type or TXT record that no service can have.
    func offerServices(_ services: [BonjourService]) async throws

    /// Sends a request over TCP to a service that a station of its network offers, and reads the answer to its end, at
    /// most 1 MiB.
    ///
    /// - Throws: ``RadioModel/RadioError/noAnswer(_:)`` if nobody offers the service, or there is no answer.
    func exchange(_ request: Data, with service: BonjourName) async throws -> Data
}

/// The transports of an accessory's Bluetooth adapter.
package struct AdapterTransports: Sendable, Hashable {
    /// The port (PSM) of an L2CAP channel over classic Bluetooth for paired phones; nil for LE only.
    ///
    /// ``AccessoryInput/bridged(_:)`` reports a phone that opens it. The channel is closed after the phone has sent a
    /// first byte.
    package var classicPort: UInt16?
    /// Whether the LE address is private, so that only paired phones can resolve it.
    package var hasPrivateAddress: Bool
    /// Whether it pairs with LE Secure Connections; false for legacy pairing only. Classic Bluetooth needs it.
    package var hasSecureConnections: Bool
    /// Whether its advertisement announces classic Bluetooth: the flag “BR/EDR Not Supported” is not set.
    package var advertisesClassic: Bool

    package init(
        classicPort: UInt16? = nil, hasPrivateAddress: Bool = false, hasSecureConnections: Bool = true,
        advertisesClassic: Bool = false
    ) {
        self.classicPort = classicPort
        self.hasPrivateAddress = hasPrivateAddress
        self.hasSecureConnections = hasSecureConnections
        self.advertisesClassic = advertisesClassic
    }

    /// Whether the adapter has classic Bluetooth in addition to LE.
    var isDualMode: Bool { classicPort != nil || advertisesClassic }
}
