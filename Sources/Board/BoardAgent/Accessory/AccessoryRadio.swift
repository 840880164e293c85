import BlueZ
import BoardProtocol
import FoundationEssentials
import RadioModel

/// The radios of an accessory, as the agent gives them.
///
/// What is on the air stays as it was asked for: after a daemon was lost and came back, the agent restores it.
public protocol AccessoryRadio: Sendable {
    /// The Bluetooth adapter that the accessory has for itself.
    var adapter: AdapterID { get }

    /// Tells the scenario's handle something. From any thread, in order.
    func tell(_ event: Data)

    // MARK: Bluetooth

    /// The adapter's own address.
    func address() async throws(RadioError) -> DeviceAddress

    /// What the adapter is from now on. Links end where that changes something.
    func setTransports(_ transports: AdapterTransports) async throws(RadioError)

    /// Lets strangers pair, or has the radio refuse them.
    func setPairable(_ isPairable: Bool) async throws(RadioError)

    /// Is on the air with this, connectable, with ``AgentAccessory/attributes``. Where it is on the air already, it starts anew,
    /// with another private address if it has one.
    func advertise(_ content: AdvertisedContent) async throws(RadioError)

    /// Is off the air, and drops every link.
    func goSilent() async throws(RadioError)

    /// Notifies a value, which fits the link, to who subscribed. From any thread, in order.
    func notify(_ value: Data, of characteristic: BluetoothUUID)

    // MARK: Wi-Fi

    /// Refuses an accessory that has no Wi-Fi: every one but that of adapter 0.
    func requireWiFi() throws(RadioError)

    /// Opens a network; returns when it beacons and ``AgentAccessory/serve(on:)`` was called.
    func openNetwork(_ network: NetworkConfiguration) async throws

    /// Closes one of its networks; stations are told.
    func closeNetwork(ssid: String) async throws

    /// Closes all of its networks; without Wi-Fi nothing.
    func closeNetworks() async throws

    /// Starts a network anew with another passphrase, 8 to 63 characters: its stations are thrown out. A passphrase that no
    /// network can have changes nothing.
    func changePassphrase(of ssid: String, to passphrase: String) async throws
}

/// What an accessory's Bluetooth adapter is.
public struct AdapterTransports: Sendable, Hashable {
    /// The port (PSM) of an L2CAP channel over classic Bluetooth that a paired phone gets; nil for LE alone.
    ///
    /// A phone that opens it comes as ``AccessoryInput/bridged(_:)``, and is hung up on once it has sent something.
    public var classicPort: UInt16?
    /// Whether the LE address is a private one, which only paired phones resolve.
    public var hasPrivateAddress: Bool

    public init(classicPort: UInt16? = nil, hasPrivateAddress: Bool = false) {
        self.classicPort = classicPort
        self.hasPrivateAddress = hasPrivateAddress
    }

    /// Whether there is classic Bluetooth beside LE.
    var isDualMode: Bool { classicPort != nil }
}
