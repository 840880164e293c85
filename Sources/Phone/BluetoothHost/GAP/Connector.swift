import RadioModel

/// Connects to devices as a central, one after the other, and ends links.
///
/// An attempt goes to one device at its last address. A link that the device never answers (0x3E) is tried again,
/// without a failure for the layers above.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.12, 7.8.13 and 7.8.66; Vol 6, Part B, 4.5.
package struct Connector: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var phases = ConnectionPhases()
        /// How long the controller listens for a device, if the request names no limit. Assumed.
        package var limit: Duration = .seconds(10)
        /// How often a link is made that the device does not answer, before that is a failure; at least 1.
        package var establishmentTries = 20
        /// Time between the beginnings of two scans for the device, in units of 0.625 ms.
        package var scanInterval: UInt16 = 48
        /// Duration of a scan, in units of 0.625 ms; at most `scanInterval`.
        package var scanWindow: UInt16 = 48
        /// The PHYs for an extended request.
        package var phys: LEPHYSet = .oneMegabit
        /// The reason that peers get when this phone ends a link.
        package var endReason = HCIError.remoteUserEnded
        /// How many attempts may wait.
        package var mostAttempts = 64
        /// How long the controller may take to give up.
        package var cancelLimit: Duration = .seconds(2)

        package init() {}
    }

    package enum Output: Sendable, Equatable {
        case command(HCICommand, CommandPurpose)
        case opened(OpenedLink)
        /// A link that was opened is over.
        case closed(ConnectionHandle, HCIError)
        /// The device did not answer on a new link, and is tried again.
        case retrying(PeerAddress, tries: Int)
        /// The attempt is over.
        case failed(PeerAddress, ConnectFailure)
        /// The controller refused something: plain words.
        case refused(String)
    }

    enum Step: Sendable {
        case connect(PeerAddress)
        case cancel
        case disconnect(ConnectionHandle)
        case update(ConnectionHandle)
    }

    struct Link: Sendable {
        /// The attempt that made it; nil for a link as a peripheral.
        var attempt: ConnectionAttempt?
        /// When it counts as settled.
        var settles: Duration?
        /// Whether this phone ends it.
        var isClosing = false
    }

    let configuration: Configuration
    /// Nil without power.
    var abilities: ControllerAbilities?
    /// This phone's address in the air.
    var local: PeerAddress?
    var isHeld = false
    /// Whether the controller does nothing that would prevent an attempt.
    var isClear = false
    var queue: [ConnectionAttempt] = []
    var current: Initiation?
    var links: [ConnectionHandle: Link] = [:]
    var pending = PendingCommands<Step>(of: .connector)

    package init(configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// How many attempts wait or run.
    package var attemptCount: Int { queue.count + (current == nil ? 0 : 1) }
    package var linkCount: Int { links.count }
    /// The devices that attempts are for.
    var sought: [PeerAddress] {
        queue.map(\.device) + (current.flatMap { $0.stop == .end ? nil : [$0.attempt.device] } ?? [])
    }

    /// Whether the controller does not connect, and has answered all commands about that.
    package var isQuiet: Bool { current == nil }
    /// Whether the controller works on an attempt, or should.
    package var wantsController: Bool { current != nil || !isHeld && local != nil && !queue.isEmpty }

    /// When something is due.
    package var deadline: Duration? {
        let settling = links.values.compactMap(\.settles).min()
        return [current.flatMap { deadline(of: $0) }, settling].compactMap { $0 }.min()
    }

    func deadline(of initiation: Initiation) -> Duration? {
        switch initiation.phase {
        case .starting: nil
        case .listening(let began): began + max(.zero, initiation.attempt.limit - initiation.attempt.used)
        case .cancelling(let end): end
        }
    }
}

// The wishes.
extension Connector {
    /// The controller is ready, and has no links.
    package mutating func powerOn(_ abilities: ControllerAbilities) {
        self.abilities = abilities
        (local, isHeld, isClear) = (nil, false, false)
    }

    /// Ends all attempts, because Bluetooth goes off. The controller's own attempt is cancelled; it may still become a
    /// link.
    package mutating func giveUp(at now: Duration) -> [Output] {
        let failed = sought
        queue = []
        return failed.map { .failed($0, .poweredOff) } + stopCurrent(.end, at: now)
    }

    /// The controller has no links any more. All attempts fail.
    package mutating func powerOff() -> [Output] {
        let closed = links.keys.sorted { $0.rawValue < $1.rawValue }
        var waiting = queue
        if let current, current.stop != .end { waiting.insert(current.attempt, at: 0) }
        (abilities, local, queue, current, links) = (nil, nil, [], nil, [:])
        pending.removeAll()
        return waiting.map { .failed($0.device, .poweredOff) } + closed.map { .closed($0, .localHostEnded) }
    }

    /// Connects to a device. A second request for the same device changes nothing.
    ///
    /// - Parameters:
    ///   - device: The identity of a bonded device, otherwise its address.
    ///   - address: Where it was heard last.
    ///   - limit: How long the controller listens for it.
    package mutating func connect(
        to device: PeerAddress, at address: PeerAddress, limit: Duration? = nil, at now: Duration
    ) -> [Output] {
        guard abilities != nil else { return [.failed(device, .poweredOff)] }
        if links.values.contains(where: { $0.attempt?.device == device && !$0.isClosing }) {
            return [.failed(device, .connected)]
        }
        if let current, current.attempt.device == device, current.stop != .end { return [] }
        guard !queue.contains(where: { $0.device == device }) else { return [] }
        guard queue.count < configuration.mostAttempts else { return [.failed(device, .tooMany(queue.count))] }
        queue.append(ConnectionAttempt(device: device, address: address, limit: limit ?? configuration.limit))
        return step(at: now)
    }

    /// Gives up an attempt. Without one nothing happens.
    package mutating func cancel(_ device: PeerAddress, at now: Duration) -> [Output] {
        if let place = queue.firstIndex(where: { $0.device == device }) {
            queue.remove(at: place)
            return [.failed(device, .cancelled)]
        }
        guard let current, current.attempt.device == device, current.stop != .end else { return [] }
        return [.failed(device, .cancelled)] + stopCurrent(.end, at: now)
    }

    /// The device was heard at another address: an attempt goes on there.
    package mutating func move(_ device: PeerAddress, to address: PeerAddress, at now: Duration) -> [Output] {
        for place in queue.indices where queue[place].device == device { queue[place].address = address }
        guard let attempt = current?.attempt, attempt.device == device, attempt.address != address else { return [] }
        current?.attempt.address = address
        return stopCurrent(.pause, at: now)
    }

    /// What the other users of the controller mean for attempts. All of it counts at the same time, so that no attempt
    /// begins by what was true before.
    ///
    /// - Parameters:
    ///   - local: This phone's address in the air; nil if it has none yet.
    ///   - isHeld: Whether attempts are held for a moment.
    ///   - isClear: Whether the controller does nothing that would prevent an attempt.
    package mutating func use(_ local: PeerAddress?, isHeld: Bool, isClear: Bool, at now: Duration) -> [Output] {
        (self.local, self.isHeld, self.isClear) = (local, isHeld, isClear)
        return isHeld ? stopCurrent(.pause, at: now) : step(at: now)
    }
}
