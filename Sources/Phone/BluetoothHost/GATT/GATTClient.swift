import RadioModel

/// The GATT client of one link: its procedures one after the other, and what it knows of the peer's server.
///
/// It does not own the ATT client, which is half of an ``AttributeBearer``: the two halves share their MTU and their
/// end. The functions take it as `over attributes`. The owner hands every output of the ATT client to
/// ``take(_:over:at:)``, also those of a time-out and of the link's end; after the bearer's end, any call fails all
/// requests. The one time limit of GATT is the ATT transaction's; the client's own timer is the pause after a bonding.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.
package struct GATTClient: Sendable {
    package let configuration: Configuration
    /// What is known of the server. It may be saved with the bond.
    package internal(set) var table: GATTTable
    /// Whether there is a bond with the peer.
    package internal(set) var isBonded: Bool
    package internal(set) var isEncrypted = false
    var queue: [Job] = []
    var current: Job?
    /// Jobs that wait for ``retry(_:over:at:)`` or ``giveUp(_:over:at:)``.
    var parked: [Job] = []
    /// Outputs of the ATT client that are still to be handled.
    var inbox: [AttributeClient.Output] = []
    var outbox: [Output] = []
    /// Before this time no subscription is written; nil if it has passed.
    var subscriptionPause: Duration?
    /// The last breach of the protocol that the ATT client has found.
    var lastViolation: String?
    /// Unknown handles of values that the layer above was told of.
    var notedHandles: Set<UInt16> = []
    /// The handle in the ATT client's list of withheld ones.
    var withheld: UInt16?
    /// A change of the services that waits for encryption.
    var heldChange: HandleRange?
    /// Whether the client has subscribed to Service Changed on this link, or has tried to.
    var hasTriedServiceChanged = false
    /// Whether that was refused, and encryption may cure it.
    var serviceChangedNeedsEncryption = false
    private var requests = 0

    /// - Parameters:
    ///   - table: The table of an earlier link, which is used without discovery; nil for a discovery.
    ///   - isBonded: Whether there is a bond with the peer already.
    package init(_ configuration: Configuration = Configuration(), table: GATTTable? = nil, isBonded: Bool = false) {
        self.configuration = configuration
        self.table = table ?? GATTTable()
        self.isBonded = isBonded
        // Without a bond, a server forgets subscriptions with the link.
        if !isBonded { self.table.isSubscribedToServiceChanged = false }
    }

    /// When the pause after a bonding ends.
    package var deadline: Duration? { subscriptionPause }

    /// The number of requests without a result.
    package var pendingRequests: Int { queue.count + parked.count + (current == nil ? 0 : 1) }

    mutating func nextID() -> GATTRequestID {
        requests += 1
        return GATTRequestID(number: requests)
    }
}

extension GATTClient {
    /// Begins: withholds the confirmation of Service Changed, and subscribes to it, as configured.
    package mutating func start(over attributes: inout AttributeClient, at now: Duration) -> [Output] {
        run(over: &attributes, at: now)
    }

    /// Performs an action when all earlier ones have their results.
    package mutating func perform(
        _ action: Action, over attributes: inout AttributeClient, at now: Duration
    ) -> (id: GATTRequestID, outputs: [Output]) {
        let id = nextID()
        queue.append(Job(id: id, action: action))
        return (id, run(over: &attributes, at: now))
    }

    /// Writes a value at once, beside the other actions. The server does not answer it.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part G, 4.9.1.
    package mutating func writeWithoutResponse(
        _ value: [UInt8], to handle: UInt16, over attributes: inout AttributeClient, at now: Duration
    ) -> (id: GATTRequestID, outputs: [Output]) {
        let id = nextID()
        if let reason = attributes.end {
            outbox.append(.completed(id, .failed(.lost("writing \(name(of: handle)) failed: \(reason)"))))
        } else if value.count > attributes.mtu - 3 {
            let text = "\(value.count) bytes without response; \(attributes.mtu - 3) are possible"
            outbox.append(.completed(id, .failed(.tooLong("writing \(name(of: handle)): \(text)"))))
        } else {
            inbox += attributes.command(.writeCommand(handle: handle, value: value))
            handleInbox(over: &attributes, at: now)
            outbox.append(.completed(id, .done))
        }
        return (id, run(over: &attributes, at: now))
    }

    /// Takes outputs of the ATT client.
    package mutating func take(
        _ outputs: [AttributeClient.Output], over attributes: inout AttributeClient, at now: Duration
    ) -> [Output] {
        inbox += outputs
        return run(over: &attributes, at: now)
    }

    /// Takes that the link is encrypted: a withheld indication of Service Changed counts now.
    package mutating func linkWasEncrypted(over attributes: inout AttributeClient, at now: Duration) -> [Output] {
        isEncrypted = true
        if serviceChangedNeedsEncryption {
            serviceChangedNeedsEncryption = false
            hasTriedServiceChanged = false
        }
        if let range = heldChange { servicesChanged(range) }
        heldChange = nil
        return run(over: &attributes, at: now)
    }

    /// Takes that the two devices have bonded on this link: subscriptions pause, as configured.
    package mutating func bonded(over attributes: inout AttributeClient, at now: Duration) -> [Output] {
        isBonded = true
        subscriptionPause = now + configuration.pauseAfterBonding
        return run(over: &attributes, at: now)
    }

    /// Goes on after the pause of subscriptions.
    package mutating func advance(to now: Duration, over attributes: inout AttributeClient) -> [Output] {
        return run(over: &attributes, at: now)
    }
}
