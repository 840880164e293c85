import HILPhone
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

extension Scenario {
    /// Runs a trial of an exploration for one case, and records what was seen.
    @MainActor
    package func explore(_ one: ScenarioCase, in lab: Lab, _ order: TrialOrder) async {
        let recorder = lab.recorder
        let began = ContinuousClock.now
        recorder.record(.bodyBegan(budget: traits.budget.seconds))
        let note = await Trial(self, one, lab, order).run()
        recorder.record(.trial(note))
        lab.phone.switchOff()
        await lab.accessory.endPrograms()
        for fault in await lab.rig.faultsAfter(recorder) { recorder.record(.failure(fault)) }
        recorder.record(.bodyEnded(seconds: (ContinuousClock.now - began).seconds))
    }
}

/// One trial: a journey with a fault at a moment, what a person does next, and what is left of it.
@MainActor
final class Trial {
    let scenario: Scenario
    let one: ScenarioCase
    let lab: Lab
    let order: TrialOrder
    let watch: MomentWatch
    nonisolated let gate = TrialGate()
    var note = TrialNote()
    /// Where the phone's log was when the present attempt began.
    var began = EventLog<PhoneEvent>.Mark.start
    /// The failures of the product in the present attempt.
    let failures = CollectedFailures()
    /// The faults that happen.
    private nonisolated let striking = Mutex<[Task<Void, Never>]>([])
    /// Told when a fault has ended the attempt.
    let endings = EventLog<Void>()

    /// How much longer than its budget a step of a next attempt may take.
    private static let nextPatience = Duration.seconds(5)

    init(_ scenario: Scenario, _ one: ScenarioCase, _ lab: Lab, _ order: TrialOrder) {
        (self.scenario, self.one, self.lab, self.order) = (scenario, one, lab, order)
        watch = MomentWatch([order.cell, order.second].compactMap { $0?.moment })
    }

    /// The faults that happen, or have happened.
    private var struck: Set<TrialOrder.Cell> = []
    /// Ends the faults that last until the attempt has ended.
    private var lasting: [TrialFault.Step] = []
    /// What proves that each fault happened.
    private var proofs: [TrialOrder.Cell: String] = [:]
    private var cells: [TrialOrder.Cell] { [order.cell, order.second].compactMap { $0 } }
    private var declaration: ExplorationDeclaration { scenario.traits.exploration }

    /// Runs the trial.
    func run() async -> TrialNote {
        lab.recorder.collect { [failures] failure in
            failures.add(failure)
            // Without its daemon, the accessory's board cannot go on.
            return failure.finding?.kind != .daemon
        }
        note.teamFaults = declaration.faults.map(\.name)
        note.hasOwnRecovery = declaration.recovery != nil
        await firstAttempt()
        note.isReached = watch.missing == 0
        note.isPeripheral = watch.isPeripheral
        guard order.cell == nil || note.isReached, lab.failures.isEmpty else { return note }
        if order.cell == nil { await look() }
        if order.cell == nil || note.attempts.last?.ending != .passed { await nextAttempts() }
        if order.cell != nil { tellEnd() }
        if order.cell != nil, note.attempts.last?.ending == .passed { await look() }
        note.crashes = lab.accessory.startedPrograms.compactMap(\.crash)
        return note
    }

    // MARK: The first attempt

    private func firstAttempt() async {
        let more = cells.reduce(0.0) { $0 + (FaultKind(rawValue: $1.fault)?.seconds ?? 5) }
        lab.patience = order.cell == nil ? .zero : .seconds(order.patience + more)
        let air = await watchAir()
        let logs = watchLogs()
        defer { for log in logs { log.cancel() } }
        watchPerson()
        lab.recorder.onStep { [self] name in strike(watch.step(name)) }
        lab.recorder.onLine { [self] text in strike(watch.pass(.program, "printed(\(text))")) }
        lab.phone.onTold { [self] app, event in
            if event.isCallback { lab.recorder.record(.phone(.told(app, event.news))) }
            strike(watch.told(event.callback, isBadNews: event.isBadNews))
        }
        watch.begin()
        let attempt = await attempt { [self] in
            let body: @MainActor @Sendable () async throws -> Void = { [self] in
                try await scenario.perform(one, in: lab)
            }
            // A rig on which the phone has no host of its own has no such packets.
            guard lab.phone.hasRawBluetooth else { return try await body() }
            try await lab.phone.bluetooth.raw.withFilter({ [self] in judge($0) }, during: body)
        }
        note.attempts = [attempt]
        let moments = watch.end()
        if order.cell == nil { note.moments = moments }
        for task in striking.withLock({ $0 }) { await task.value }
        for undo in lasting { await strike { _ in try await undo() } }
        await air?()
        lab.patience = Trial.nextPatience
    }

    /// Notes what the phone and the home's router report, until it is cancelled.
    private func watchLogs() -> [Task<Void, Never>] {
        let phone = Task { [self] in
            do {
                for try await event in lab.phone.log.events() { strike(watch.take(event.kind)) }
            } catch {}
        }
        let home = Task { [self] in
            do {
                for try await event in lab.homeNetwork.events.events() { strike(watch.home(event)) }
            } catch {}
        }
        return [phone, home]
    }

    private func watchPerson() {
        let person = lab.phone.person
        person.onSee { [self] screen in strike(watch.see(screen), on: screen) }
        person.onLook { [gate] screen in gate.look(at: screen) }
    }

    /// The verdict on a packet of the phone's link.
    private nonisolated func judge(_ packet: RawPacket) -> RawVerdict {
        let moment = watch.pass(packet)
        if let moment {
            let losesPacket = strike(moment, at: packet)
            return losesPacket ? .drop : .hold
        }
        return gate.holdsPackets ? .hold : .pass
    }

    // MARK: Faults

    private nonisolated func cell(at moment: Moment) -> TrialOrder.Cell? {
        [order.cell, order.second].compactMap { $0 }.first { $0.moment == moment }
    }

    /// Lets the fault of a moment happen, beside the journey.
    private nonisolated func strike(_ moment: Moment?, on screen: Screen? = nil) {
        guard let moment, let cell = cell(at: moment) else { return }
        let kind = FaultKind(rawValue: cell.fault)
        watch.listen()
        tell(cell)
        switch kind {
        case .personCancels:
            let action: PersonAction? = screen.flatMap { screen in
                [.cancel, .deny, .refusePasskey].first { screen.allows($0) }
            }
            guard let screen, let action else { return }
            gate.refuse(action, at: screen.kind)
            return begin { $0.prove(cell, "the person chose to \(action)") }
        case .personWaits:
            gate.holdPerson()
            return begin { trial in
                try await trial.lab.clock.sleep(for: .seconds(30))
                trial.gate.releasePerson(of: trial.lab.phone)
                trial.prove(cell, "the person did nothing for 30 s")
            }
        default: break
        }
        if screen != nil { gate.holdPerson() }
        begin { trial in
            try await trial.happen(cell) {
                if screen != nil { trial.gate.releasePerson(of: trial.lab.phone) }
            }
        }
    }

    /// Lets the fault of a packet happen.
    ///
    /// - Returns: Whether the packet is lost with it; else it waits until the fault has happened.
    private nonisolated func strike(_ moment: Moment, at packet: RawPacket) -> Bool {
        guard let cell = cell(at: moment) else { return false }
        watch.listen()
        tell(cell)
        let kind = FaultKind(rawValue: cell.fault)
        gate.holdPackets()
        if kind == .packetHeld {
            begin { trial in
                try await trial.lab.clock.sleep(for: .seconds(1))
                try await trial.gate.releasePackets(of: trial.lab.phone)
                trial.prove(cell, "\(moment) was a second late")
            }
            return false
        }
        let losesPacket = kind == .linkLost || kind == .outOfRange || kind == .powerCut
        begin { trial in
            try await trial.happen(cell) {
                try await trial.gate.releasePackets(of: trial.lab.phone)
            }
        }
        return losesPacket
    }

    /// Makes a fault happen, and undoes it.
    ///
    /// - Parameter goOn: Called when it has happened.
    private func happen(_ cell: TrialOrder.Cell, _ goOn: TrialFault.Step) async throws {
        let fault: TrialFault?
        if let kind = FaultKind(rawValue: cell.fault) {
            fault = TrialFault(kind, at: cell.moment.layer, in: lab)
        } else {
            fault = declaration.faults.first { $0.name == cell.fault }.map { TrialFault($0, in: lab) }
        }
        guard let fault else { throw RigFailure("making “\(cell.fault)” happen", "there is no such fault") }
        struck.insert(cell)
        do { prove(cell, try await fault.begin()) } catch {
            try? await goOn()
            throw error
        }
        if fault.endsAttempt { endings.append(()) }
        if fault.lastsForAttempt {
            lasting.append(fault.undo)
            return try await goOn()
        }
        do {
            try await goOn()
            try await lab.clock.sleep(for: fault.pause)
        } catch {
            // A bench goes on to its next run.
            try? await fault.undo()
            throw error
        }
        try await fault.undo()
    }

    /// Notes what proves that a fault happened. All faults of the trial must have happened.
    private func prove(_ cell: TrialOrder.Cell, _ proof: String) {
        proofs[cell] = proof
        let all = cells.compactMap { proofs[$0] }
        if all.count == cells.count { note.proof = all.joined(separator: "; ") }
    }

    /// Whether the accessory's board has lost its power or a daemon by a fault of the present attempt.
    var hasLostBoard: Bool {
        let kinds = [FaultKind.powerCut, .bluetoothdKilled, .hostapdKilled].map(\.rawValue)
        return note.attempts.isEmpty && struck.contains { kinds.contains($0.fault) }
    }

    /// What the story says where a fault happens. A finding's page opens there.
    private nonisolated func tell(_ cell: TrialOrder.Cell) {
        let clause = FaultKind(rawValue: cell.fault)?.clause ?? "“\(cell.fault)” happens"
        lab.recorder.record(.note(text: "\(TrialNote.faultLine)\(clause), at \(cell.moment)"))
    }

    private nonisolated func begin(_ body: @escaping @MainActor @Sendable (Trial) async throws -> Void) {
        // A moment comes in the middle of a step, whose deadline and waits are not the fault's.
        let task = Task.detached { [self] in await strike(body) }
        striking.withLock { $0.append(task) }
    }

    private func strike(_ body: @MainActor @Sendable (Trial) async throws -> Void) async {
        do { try await body(self) } catch {
            lab.recorder.record(.failure(Failure(.rig, "the fault of the trial: \(Failure(error).message)")))
        }
    }
}

// MARK: - Frames of Wi-Fi

extension Trial {
    /// Arms the air to report the frames that are moments, and to lose, double or delay one of them.
    ///
    /// - Returns: Ends that; nil if the rig has no air.
    private func watchAir() async -> (@MainActor () async -> Void)? {
        guard let air = lab.rig.connection.air else { return nil }
        let place = lab.rig.connection.events.count
        var numbers: [Int] = []
        var names: [String: String] = [:]
        var faults: [AirFault] = []
        for cell in cells where cell.moment.layer == .wifi {
            guard let traffic = Trial.frames.first(where: { $0.name == cell.moment.what })?.traffic else { continue }
            let effect: AirFault.Effect? =
                switch FaultKind(rawValue: cell.fault) {
                case .packetDropped: .dropped
                case .packetDoubled: .doubled
                case .packetHeld: .delayed(.seconds(1))
                default: nil
                }
            guard let effect else { continue }
            let fault = AirFault(effect, when: traffic, passing: cell.moment.number - 1)
            names["\(fault)"] = cell.moment.what
            faults.append(fault)
        }
        for (name, traffic) in Trial.frames {
            let fault = AirFault.noticed(traffic)
            names["\(fault)"] = name
            faults.append(fault)
        }
        for fault in faults {
            let firings = fault.effect == .noticed ? Moment.mostNumbers : 1
            if let number = try? await air.arm(fault, firings: firings) { numbers.append(number) }
        }
        let pump = Task { [names, events = lab.rig.connection.events] in
            var place = place
            while let (event, next) = try? await events.first(from: place) {
                place = next
                guard case .fired(let fault, _, _, _) = event, let name = names[fault] else { continue }
                let moment = watch.frame(name)
                if let moment, let cell = cell(at: moment), Trial.isOfAir(cell.fault) {
                    watch.listen()
                    tell(cell)
                    prove(cell, "the air reports: \(fault)")
                } else {
                    strike(moment)
                }
            }
        }
        return { [numbers] in
            pump.cancel()
            for number in numbers { _ = try? await air.disarm(number) }
        }
    }

    private static func isOfAir(_ fault: String) -> Bool {
        switch FaultKind(rawValue: fault) {
        case .packetDropped, .packetDoubled, .packetHeld: true
        default: false
        }
    }

    /// The frames that are moments: of each sender, the messages of a join.
    private static let frames: [(name: String, traffic: Traffic)] = {
        let kinds: [(String, Traffic)] = [
            ("sae(commit)", .sae(1)), ("sae(confirm)", .sae(2)), ("eapol(1)", .eapol(message: 1)),
            ("eapol(2)", .eapol(message: 2)), ("eapol(3)", .eapol(message: 3)), ("eapol(4)", .eapol(message: 4)),
            ("authentication", .authentication(algorithm: 0)), ("association", .frame(type: 0, subtype: 0)),
        ]
        let senders: [(String, Traffic)] = [
            ("phone", .from(.host)), ("accessory", .from(.accessory)),
            ("router", .not(.any([.from(.host), .from(.accessory)]))),
        ]
        return senders.flatMap { sender, isOfSender in
            kinds.map { name, traffic in (name: "\(name) of \(sender)", traffic: traffic.and(isOfSender)) }
        }
    }()
}

/// The failures of the product in the present attempt.
final class CollectedFailures: Sendable {
    private let failures = Mutex<[Failure]>([])

    var first: Failure? { failures.withLock { $0.first } }

    func add(_ failure: Failure) { failures.withLock { $0.append(failure) } }
    func clear() { failures.withLock { $0 = [] } }
}
