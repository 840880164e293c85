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
        case raw(StackRequestID)
        case bridge(StackRequestID, ClassicBridge.Command)
        /// The reset that ends everything without a word to the peers.
        case powerCut
        /// An answer that changes nothing; a refusal gets a note.
        case other(HCIOpcode)
    }

    package internal(set) var personality: HostPersonality
    let identity: DeviceIdentity
    let random: RandomBytes
    var channel: ControllerChannel
    var access: GenericAccess
    var start: Initialisation?
    /// What the controller is and has; nil without power.
    package internal(set) var information: ControllerInformation?
    var purposes: [CommandToken: Purpose] = [:]
    var links: [ConnectionHandle: StackLink] = [:]
    /// Those of the phone's services that belong to Bluetooth itself.
    var own: PhoneServices
    /// All services of the phone.
    var database: AttributeDatabase
    /// The bonds by identity address.
    package internal(set) var bonds: [DeviceAddress: StackBond] = [:]
    /// What is known of the services of devices without a bond and without Service Changed. It outlives the link.
    var tables = RecentTable<DeviceAddress, GATTTable>(limit: 64)
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
    /// Until when links may end in order after Bluetooth was switched off; nil otherwise.
    var powerOffLimit: Duration?
    /// Whether Bluetooth goes off without a word to the peers.
    var isPowerCut = false
    /// What becomes of packets on their way; nil if all pass.
    var tap: PacketTap?
    var lastRequest = 0
    var now = Duration.zero
    var outbox: [Output] = []

    /// - Parameters:
    ///   - identity: Who this phone is: its identity address and its identity resolving key.
    ///   - bonds: Those of earlier.
    ///   - own: Those of the phone's services that belong to Bluetooth itself.
    ///   - services: All services; nil for `own` only.
    ///   - random: Gives random bytes.
    package init(
        _ personality: HostPersonality = .iPhone, identity: DeviceIdentity, bonds: [StackBond] = [],
        own: PhoneServices = PhoneServices(name: "iPhone"), services: AttributeDatabase? = nil,
        random: @escaping RandomBytes
    ) {
        self.personality = personality
        self.identity = identity
        self.random = random
        channel = ControllerChannel(configuration: personality.controller)
        access = GenericAccess(identity: identity, configuration: personality.access, random: random)
        self.own = own
        database = services ?? own.database
        kinds = RecentTable(limit: 1024)
        for bond in bonds { remember(bond) }
    }

    /// Whether Bluetooth is on and the controller is ready.
    package var isPowered: Bool { information != nil && powerOffLimit == nil }

    /// Whether it is off. Answers that are still to come may go to another user of the controller.
    private var isOff: Bool { information == nil && start == nil }

    /// When something is due.
    package var deadline: Duration? {
        let ofLinks = links.values.flatMap {
            [$0.l2cap.deadline, $0.bearer.deadline, $0.client.deadline, $0.security.deadline]
        }
        let ofBridge = bridging.current?.bridge.deadline
        return ([isOff ? nil : channel.deadline, access.deadline, powerOffLimit, ofBridge] + ofLinks).compactMap { $0 }
            .min()
    }

    /// Runs one call from outside, and gives what it caused.
    mutating func act(at now: Duration, _ body: (inout BluetoothStack) -> Void) -> [Output] {
        self.now = max(self.now, now)
        body(&self)
        if powerOffLimit != nil, !isPowerCut, access.isIdle { finishPowerOff() }
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
    /// Takes another personality. Only without power.
    package mutating func use(_ personality: HostPersonality) {
        guard start == nil, information == nil else { return }
        self.personality = personality
        access = GenericAccess(identity: identity, configuration: personality.access, random: random)
        for bond in bonds.values { remember(bond) }
    }

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

    /// How long links may take to end when Bluetooth is switched off.
    static let powerOffTime: Duration = .seconds(1)

    /// Switches Bluetooth off: links, attempts and requests end. `StackEvent.poweredOff` follows when the peers have
    /// heard of it, at the latest after a second.
    package mutating func powerOff(at now: Duration) -> [Output] {
        act(at: now) { stack in
            guard stack.powerOffLimit == nil else { return }
            stack.hangUpClassic()
            guard stack.information != nil, !stack.access.isIdle else { return stack.finishPowerOff() }
            stack.powerOffLimit = stack.now + BluetoothStack.powerOffTime
            stack.ending = .off
            // Otherwise a device could still connect, and would keep a link to a phone that is off.
            stack.take(stack.access.giveUp(at: stack.now))
            for handle in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { stack.leave(handle) }
        }
    }

    /// Switches Bluetooth off without a word to the peers, as an empty battery does: resets the controller, which forgets its
    /// links. The peers lose them by their supervision timeout. `StackEvent.poweredOff` follows, at the latest after a second.
    ///
    /// Source: Core Specification 6.0, Vol 4, Part E, 7.3.2.
    package mutating func cutPower(at now: Duration) -> [Output] {
        act(at: now) { stack in
            guard stack.powerOffLimit == nil else { return }
            guard stack.information != nil else { return stack.finishPowerOff() }
            stack.powerOffLimit = stack.now + BluetoothStack.powerOffTime
            stack.isPowerCut = true
            stack.ending = .off
            stack.send(.reset, for: .powerCut)
        }
    }

    /// Ends a link because Bluetooth is switched off.
    mutating func leave(_ handle: ConnectionHandle) {
        take(access.disconnect(handle, reason: .remotePowerOff, at: now))
    }

    mutating func finishPowerOff() {
        powerOffLimit = nil
        end(because: .off)
        tell(.poweredOff)
    }

    /// The controller is gone, in words. `StackEvent.failed` follows.
    package mutating func controllerLost(because text: String, at now: Duration) -> [Output] {
        act(at: now) { $0.fail(text) }
    }

    /// Takes one H4 packet of the controller.
    package mutating func receive(_ packet: [UInt8], at now: Duration) -> [Output] {
        act(at: now) { stack in stack.take(stack.channel.receive(packet, at: stack.now)) }
    }

    /// Does what is due.
    package mutating func advance(to now: Duration) -> [Output] {
        act(at: now) { stack in
            if let limit = stack.powerOffLimit, limit <= stack.now { return stack.finishPowerOff() }
            if !stack.isOff { stack.take(stack.channel.advance(to: stack.now)) }
            stack.take(stack.access.advance(to: stack.now))
            stack.onBridge { $0.advance(to: $1) }
            for handle in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                stack.onLink(handle) { stack, link in
                    stack.take(link.l2cap.advance(to: stack.now), of: &link)
                    stack.take(link.bearer.advance(to: stack.now), of: &link)
                    stack.take(link.client.advance(to: stack.now, over: &link.bearer.client), of: &link)
                    stack.take(link.security.advance(to: stack.now), of: &link)
                }
            }
        }
    }

    /// Ends everything: without power, or with a broken controller.
    mutating func end(because failure: StackFailure) {
        start = nil
        information = nil
        powerOffLimit = nil
        isPowerCut = false
        ending = failure
        defer { ending = nil }
        take(access.powerOff())
        for handle in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { close(handle, .localHostEnded) }
        endBridging(because: failure)
        for ids in connecting.values { for id in ids { complete(id, .failure(failure)) } }
        for purpose in purposes.values {
            switch purpose {
            case .signal(let id), .raw(let id): complete(id, .failure(failure))
            default: break
            }
        }
        (connecting, purposes) = ([:], [:])
    }
}
