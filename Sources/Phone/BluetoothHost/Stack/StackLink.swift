import RadioModel

/// One LE link of the stack, with all layers above it.
struct StackLink: Sendable {
    let opened: OpenedLink
    /// The device's name in the stack: its identity address if that is known.
    var device: PeerAddress
    var l2cap: L2CAPLink
    var bearer: AttributeBearer
    var client: GATTClient
    var security: SecurityManager
    /// Why this end is ending the link; nil while it stays.
    var end: String?
    /// Requests to connect that wait until the link is encrypted with the key of the bond.
    var opening: [StackRequestID] = []
    /// Requests by the GATT client's own number.
    var actions: [GATTRequestID: StackRequestID] = [:]
    /// GATT requests that wait for better protection.
    var waiting: [GATTRequestID] = []
    /// Requests to pair.
    var pairing: [StackRequestID] = []
    /// Requests to open a channel.
    var channels: [LocalChannel: StackRequestID] = [:]
    /// Whether the procedures of an encrypted link have begun.
    var hasBegunEncrypted = false
    /// The longest packets on the link, as the controllers agreed; nil for 27 bytes.
    var dataLength: DataLength?

    var handle: ConnectionHandle { opened.handle }
    var address: DeviceAddress { device.address }
    var isCentral: Bool { opened.role == .central }

    /// How the link is protected now.
    var protection: LinkSecurity {
        guard let key = security.activeKey else { return .none }
        return LinkSecurity(
            isEncrypted: true, isAuthenticated: key.strength.isAuthenticated,
            isSecureConnections: key.strength.isSecureConnections, keySize: key.size)
    }
}

/// A bond of the phone, with what it keeps about the device.
package struct StackBond: Sendable, Hashable, Codable {
    /// The device's identity address, and its kind.
    package var identity: PeerAddress
    package var keys: StoredBond
    /// What the device has subscribed to, by the handle of the descriptor 2902 in the phone's own services.
    package var subscriptions: [UInt16: ClientConfiguration]
    /// What is known of the device's services, if it stays valid over links.
    package var table: GATTTable?
    /// The handles of services that came or went while the device was away.
    package var missedChange: HandleRange?

    package init(
        identity: PeerAddress, keys: StoredBond, subscriptions: [UInt16: ClientConfiguration] = [:]
    ) {
        self.identity = identity
        self.keys = keys
        self.subscriptions = subscriptions
    }
}
