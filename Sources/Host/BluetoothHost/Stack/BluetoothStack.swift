import RadioModel

/// A phone's Bluetooth above one controller: all layers of its host, put together.
///
/// Packets of the controller, requests of the phone and times go in; ``Output`` comes out, in the order in which it must
/// be done. Times are since the host started. Devices are named by their address: the identity address of a bonded
/// device, otherwise the address in the air.
///
/// Source: Core Specification 6.0, Vol 3.
package struct BluetoothStack: Sendable {
    package enum Output: Sendable {
        /// An H4 packet for the controller.
        case packet([UInt8])
        case event(StackEvent)
        /// Each request has one result.
        case completed(StackRequestID, Result<StackAnswer, StackFailure>)
    }

    /// What a command was for.
    enum Purpose: Sendable {
        case start
        case access(CommandPurpose)
        case encryption(ConnectionHandle)
        case signal(StackRequestID)
        case bridge(StackRequestID, ClassicBridge.Command)
        /// An answer that changes nothing; a refusal gets a note.
        case other(HCIOpcode)
    }

    package let personality: HostPersonality
    let identity: DeviceIdentity
    let random: RandomBytes
    var channel: ControllerChannel
    var access: GenericAccess
    var start: Initialisation?
    /// What the controller is and has; nil without power.
    package internal(set) var information: ControllerInformation?
    var purposes: [CommandToken: Purpose] = [:]
    var links: [ConnectionHandle: StackLink] = [:]
    /// The phone's own services.
    var database: AttributeDatabase
    /// The bonds by identity address.
    package internal(set) var bonds: [DeviceAddress: StackBond] = [:]
    /// The failures of pairing by device. They outlive the link.
    var attempts: [DeviceAddress: AttemptLimiter] = [:]
    /// The kind of each address that was heard.
    var kinds: RecentTable<DeviceAddress, Bool>
    /// The requests to end a link.
    var disconnecting: [ConnectionHandle: [StackRequestID]] = [:]
    /// The requests to connect.
    var connecting: [PeerAddress: [StackRequestID]] = [:]
    var bridging = Bridging()
    var listeners: [UInt16: L2CAPLink.Listener] = [:]
    /// Why everything ends; nil while it goes on. Each request then has this failure.
    var ending: StackFailure?
    var lastRequest = 0
    var now = Duration.zero
    var outbox: [Output] = []

    /// - Parameters:
    ///   - identity: Who this phone is: its identity address and its identity resolving key.
    ///   - bonds: Those of earlier.
    ///   - services: The phone's own.
    ///   - random: Gives random bytes.
    package init(
        _ personality: HostPersonality = .iPhone, identity: DeviceIdentity, bonds: [StackBond] = [],
        services: AttributeDatabase = AttributeDatabase(), random: @escaping RandomBytes
    ) {
        self.personality = personality
        self.identity = identity
        self.random = random
        channel = ControllerChannel(configuration: personality.controller)
        access = GenericAccess(identity: identity, configuration: personality.access, random: random)
        database = services
        kinds = RecentTable(limit: 1024)
        for bond in bonds { remember(bond) }
    }

    /// Whether Bluetooth is on and the controller is ready.
    package var isPowered: Bool { information != nil }

    /// When something is due.
    package var deadline: Duration? {
        let ofLinks = links.values.flatMap { [$0.l2cap.deadline, $0.bearer.deadline, $0.security.deadline] }
        let ofBridge = bridging.current?.bridge.deadline
        return ([channel.deadline, access.deadline, ofBridge] + ofLinks).compactMap { $0 }.min()
    }

    /// Runs one call from outside, and gives what it caused.
    mutating func act(at now: Duration, _ body: (inout BluetoothStack) -> Void) -> [Output] {
        self.now = max(self.now, now)
        body(&self)
        defer { outbox = [] }
        return outbox
    }

    mutating func tell(_ event: StackEvent) { outbox.append(.event(event)) }

    mutating func complete(_ id: StackRequestID, _ result: Result<StackAnswer, StackFailure>) {
        if let ending, case .failure = result { return outbox.append(.completed(id, .failure(ending))) }
        outbox.append(.completed(id, result))
    }
}

// Power, packets and time.
extension BluetoothStack {
    /// Switches Bluetooth on: resets the controller and sets it up. `StackEvent.poweredOn` or `.failed` follows.
    package mutating func powerOn(at now: Duration) -> [Output] {
        act(at: now) { stack in
            guard stack.start == nil, stack.information == nil else { return }
            stack.channel = ControllerChannel(configuration: stack.personality.controller)
            stack.purposes = [:]
            var start = Initialisation(configuration: stack.personality.start)
            let step = start.start()
            stack.start = start
            stack.follow(step)
        }
    }

    /// Switches Bluetooth off: links, attempts and requests end.
    package mutating func powerOff(at now: Duration) -> [Output] {
        act(at: now) { stack in
            // The peers hear of it, as far as the controller still sends.
            for handle in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                stack.send(.disconnect(handle, reason: .remotePowerOff), for: .other(.disconnect))
            }
            stack.hangUpClassic()
            stack.end(because: .off)
        }
    }

    /// Takes one H4 packet of the controller.
    package mutating func receive(_ packet: [UInt8], at now: Duration) -> [Output] {
        act(at: now) { stack in stack.take(stack.channel.receive(packet, at: stack.now)) }
    }

    /// Does what is due.
    package mutating func advance(to now: Duration) -> [Output] {
        act(at: now) { stack in
            stack.take(stack.channel.advance(to: stack.now))
            stack.take(stack.access.advance(to: stack.now))
            stack.onBridge { $0.advance(to: $1) }
            for handle in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                stack.onLink(handle) { stack, link in
                    stack.take(link.l2cap.advance(to: stack.now), of: &link)
                    stack.take(link.bearer.advance(to: stack.now), of: &link)
                    stack.take(link.security.advance(to: stack.now), of: &link)
                }
            }
        }
    }

    /// Ends everything: without power, or with a broken controller.
    mutating func end(because failure: StackFailure) {
        start = nil
        information = nil
        ending = failure
        defer { ending = nil }
        take(access.powerOff())
        for handle in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { close(handle, .localHostEnded) }
        endBridging(because: failure)
        for ids in connecting.values { for id in ids { complete(id, .failure(failure)) } }
        for case .signal(let id) in purposes.values { complete(id, .failure(failure)) }
        (connecting, purposes) = ([:], [:])
    }
}
