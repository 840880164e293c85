import RadioModel

/// Advertises for as long as somebody wishes it, and again after each connection.
///
/// The owner may hold it for a moment, while the controller cannot advertise. It uses one advertising set, or the
/// legacy commands.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.5 to 7.8.9 and 7.8.52 to 7.8.56.
package struct Advertiser: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var layout = AdvertisingLayout()
        /// Time between two advertisements, in units of 0.625 ms: 152.5 ms, one of the intervals that Apple recommends
        /// to accessories. No source has the phone's own. Assumed.
        package var interval: ClosedRange<UInt16> = 244...244
        /// The same for an app in the background: slower, says Apple forum thread 814450; 1022.5 ms is assumed.
        package var backgroundInterval: ClosedRange<UInt16> = 1636...1636
        /// Whether advertising goes on after a connection. Assumed.
        package var restartsAfterConnection = true
        /// The handle of the advertising set, 0x00 to 0xEF.
        package var set: UInt8 = 0
        /// The pauses after the controller's refusal to advertise.
        package var retry = RetryPause()

        package init() {}
    }

    package enum Output: Sendable, Equatable {
        case command(HCICommand, CommandPurpose)
        /// The first advertisement since the wish: what is in it, and what found no room.
        case started(AdvertisingPlan)
        /// The controller refused to begin or end advertising: plain words. The advertiser tries again.
        case refused(String)
    }

    /// What the controller shall do.
    struct Order: Sendable, Equatable {
        var plan: AdvertisingPlan
        var local: PeerAddress
    }

    struct Step: Sendable {
        /// What the command is for; nil for the end of advertising.
        var order: Order?
        var name: String
        var isLast: Bool
    }

    let configuration: Configuration
    /// The wish; nil to advertise nothing.
    package private(set) var plan: AdvertisingPlan?
    /// Nil without power.
    private var abilities: ControllerAbilities?
    private var local: PeerAddress?
    private var isHeld = false
    private var isStartTold = false
    /// What the controller advertises.
    private var running: Order?
    /// What is being prepared, and the commands for it that are not sent.
    private var script: (order: Order, commands: ArraySlice<HCICommand>)?
    private var pending = PendingCommands<Step>(of: .advertiser)
    private var retry: RetryTimer

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        retry = RetryTimer(configuration.retry)
    }

    /// Whether the controller does not advertise, and has answered all commands about it.
    package var isQuiet: Bool { running == nil && pending.isEmpty }
    package var isAdvertising: Bool { running != nil }

    /// When something is due.
    package var deadline: Duration? { pending.isEmpty && running != wanted ? retry.end : nil }

    private var wanted: Order? {
        guard abilities != nil, !isHeld, let plan, let local else { return nil }
        return Order(plan: plan, local: local)
    }
}

// The wish and the controller.
extension Advertiser {
    /// The controller is ready, and advertises nothing.
    package mutating func powerOn(_ abilities: ControllerAbilities) {
        powerOff()
        self.abilities = abilities
    }

    /// The controller advertises no more. The wish is forgotten.
    package mutating func powerOff() {
        (abilities, local, plan, isHeld, isStartTold) = (nil, nil, nil, false, false)
        (running, script) = (nil, nil)
        pending.removeAll()
        retry.succeeded()
    }

    /// This phone's address in the air; nil if it has none yet.
    ///
    /// - Parameter isHeld: Whether advertising is held for a moment.
    package mutating func use(_ local: PeerAddress?, isHeld: Bool, at now: Duration) -> [Output] {
        (self.local, self.isHeld) = (local, isHeld)
        return step(at: now)
    }

    /// Begins to advertise, changes the content, or ends with nil.
    package mutating func advertise(_ content: AdvertisingContent?, at now: Duration) -> [Output] {
        guard abilities != nil else { return [] }
        plan = content.map { AdvertisingPlan($0, configuration.layout) }
        isStartTold = false
        retry.succeeded()
        let isUnchanged = plan != nil && running?.plan == plan && running == wanted
        return (isUnchanged ? tellStart() : []) + step(at: now)
    }

    /// A device has connected, which ends legacy advertising.
    package mutating func peerConnected(at now: Duration) -> [Output] {
        abilities?.usesExtendedCommands == true ? [] : ended(byConnection: true, at: now)
    }

    /// The controller ended the advertising set.
    package mutating func setTerminated(_ end: AdvertisingSetEnd, at now: Duration) -> [Output] {
        guard end.set == configuration.set, abilities?.usesExtendedCommands == true else { return [] }
        return ended(byConnection: end.handle != nil, at: now)
    }

    private mutating func ended(byConnection: Bool, at now: Duration) -> [Output] {
        running = nil
        if byConnection, !configuration.restartsAfterConnection { plan = nil }
        return step(at: now)
    }

    /// Tries again after a refusal.
    package mutating func advance(to now: Duration) -> [Output] { step(at: now) }

    /// Takes the result of a command.
    package mutating func completed(_ purpose: CommandPurpose, _ status: HCIError, at now: Duration) -> [Output] {
        guard let done = pending.end(purpose) else { return [] }
        var outputs: [Output] = []
        if !status.isSuccess {
            outputs.append(.refused(HCICommand.refusal(of: done.name, status)))
            retry.refused(at: now)
            script = nil
        }
        if done.order == nil {
            // After a refusal there is nothing that could be ended.
            running = nil
        } else if done.isLast, status.isSuccess {
            (running, script) = (done.order, nil)
            retry.succeeded()
            if running == wanted { outputs += tellStart() }
        }
        return outputs + step(at: now)
    }

    private mutating func tellStart() -> [Output] {
        guard !isStartTold, let plan else { return [] }
        isStartTold = true
        return [.started(plan)]
    }

    private mutating func step(at now: Duration) -> [Output] {
        guard pending.isEmpty, let abilities, running != wanted else { return [] }
        if running != nil { return [send(enabling(false, abilities), for: nil, isLast: true)] }
        guard let wanted else {
            script = nil
            return []
        }
        if script?.order != wanted {
            guard retry.allowsTry(at: now) else { return [] }
            retry.began()
            script = (wanted, commands(for: wanted, abilities)[...])
        }
        guard let command = script?.commands.popFirst() else { return [] }
        return [send(command, for: wanted, isLast: script?.commands.isEmpty ?? true)]
    }

    private mutating func send(_ command: HCICommand, for order: Order?, isLast: Bool) -> Output {
        .command(command, pending.begin(Step(order: order, name: command.opcode.name, isLast: isLast)))
    }
}
