import BoardProtocol
import HILPhone
import HILRecord
import HILTiming
import RigModel

extension Scenario {
    /// What a worker needs for a case with a phone in a person's hand.
    package struct Hand: Sendable {
        /// Connects to the rig of the simulated phone.
        package var simulated: @Sendable () async throws -> RigConnection
        /// Connects to the rig with the accessory board that the phone meets.
        package var real: @Sendable () async throws -> RigConnection
        package var desk: any HandDesk
        package var options: LabOptions
        /// The host stacks that the scenario declares, for the simulated phone's rig.
        package var stacks: HostStacksAhead

        package init(
            simulated: @escaping @Sendable () async throws -> RigConnection,
            real: @escaping @Sendable () async throws -> RigConnection, desk: any HandDesk, options: LabOptions,
            stacks: HostStacksAhead
        ) {
            (self.simulated, self.real, self.desk, self.options) = (simulated, real, desk, options)
            self.stacks = stacks
        }
    }

    /// Runs a case with the simulated phone, and leads a person with a real one through the same journey.
    ///
    /// The record has what the real accessory and the person reported. It has passed if both confirmed all that was
    /// asked of them; it is skipped if nobody could confirm anything.
    @MainActor
    package func run(_ one: ScenarioCase, by hand: Hand, description: RigDescription, _ recorder: ScenarioRecorder)
        async throws
    {
        var options = hand.options
        options.screens = nil
        let reports = AccessoryReports()
        recorder.onAccessory { reports.add($0) }
        recorder.onHome { if case .router(let event) = $0 { reports.add(AccessoryNote(event)) } }
        let lab = try await Lab.open(
            {
                var rig = try await hand.real()
                rig.isPhoneInHand = true
                return rig
            }, with: HostStacksAhead(of: self), options: options, recorder: recorder)
        let began = ContinuousClock.now
        recorder.record(.bodyBegan(budget: traits.budget.seconds))
        do {
            try await lead(one, by: hand, description, lab, reports, recorder)
        } catch { await record(error, recorder, package: lab.accessory.package) }
        if lab.failures.isEmpty { await lab.accessory.endPrograms() }
        for fault in await lab.rig.faultsAfter(recorder) { recorder.record(.failure(fault)) }
        recorder.record(.bodyEnded(seconds: (ContinuousClock.now - began).seconds))
        await lab.accessory.runLastHooks()
        await lab.close()
    }

    @MainActor
    private func lead(
        _ one: ScenarioCase, by hand: Hand, _ description: RigDescription, _ lab: Lab, _ reports: AccessoryReports,
        _ recorder: ScenarioRecorder
    ) async throws {
        if traits.expectedCrash != nil {
            let lack = RigLacks("nobody can see on a real phone why the system ends an app")
            return recorder.record(lack: lack)
        }
        let rehearsal = try await rehearse(one, by: hand, description)
        if let lack = rehearsal.lack { return recorder.record(.lacks(lack)) }
        guard rehearsal.failures.isEmpty else {
            for failure in rehearsal.failures {
                var failure = failure
                failure.message = "on the simulated phone, before a person was asked: \(failure.message)"
                recorder.record(.failure(failure))
            }
            return
        }
        let socket = try await lab.rig.connection.hostStacks?.attachStack(at: nil)
        if let socket { recorder.record(.onAir(socket.address, "the phone in the hand")) }
        let guide = HandGuide(
            rehearsal.items, reports: reports, desk: hand.desk, recorder: recorder, at: location
        ) { try await $0.perform(lab) }
        try await guide.lead(title, socket: socket?.socket)
        // A program prints what it likes, and a station with another passphrase tries again when it likes.
        let more = reports.untaken.filter { !RehearsedItem.isOfProgram($0) && !$0.isRefusal }
        if !more.isEmpty {
            let text = more.prefix(8).map { "\($0.accessory): \($0.text)" }.joined(separator: "; ")
            recorder.record(.remark(text: "more than with the simulated phone: \(text)"))
        }
        if lab.failures.isEmpty, guide.confirmed == 0 {
            recorder.record(lack: RigLacks("neither the accessory nor the person could confirm anything"))
        }
    }

    /// Runs the body on the simulated phone. Its record is kept apart.
    @MainActor
    private func rehearse(_ one: ScenarioCase, by hand: Hand, _ description: RigDescription) async throws -> Rehearsal {
        let rehearsal = Rehearsal()
        let recorder = ScenarioRecorder { rehearsal.add($0.stamped.event) }
        recorder.onCommand { rehearsal.add(.command($0)) }
        recorder.onLine { rehearsal.add(.line($0)) }
        recorder.onHome { rehearsal.add($0) }
        var options = hand.options
        options.capture = options.capture.map { Scenario.apart($0) }
        options.keys = nil
        options.logs = options.logs.map { Scenario.apart($0) }
        options.versions = nil
        let lab = try await Lab.open(
            { try await hand.simulated().limited(to: description) }, with: hand.stacks, options: options,
            recorder: recorder)
        lab.phone.notifications.onPost {
            rehearsal.add(.posted(app: $0.identifier.sourceIdentifier, title: $0.title ?? "", body: $0.body ?? ""))
        }
        do {
            try await withDeadline(traits.budget, waitingFor: "the end of “\(title)”") { @MainActor in
                try await self.perform(one, in: lab)
            }
        } catch { await record(error, recorder, package: lab.accessory.package) }
        for action in lab.phone.person.unfinished {
            recorder.record(.failure(Failure(.product, "\(action)", at: location)))
        }
        await lab.accessory.recordUnaskedFailure(at: location)
        rehearsal.end()
        lab.phone.app?.release()
        await lab.close()
        return rehearsal
    }

    /// A path in the folder of what the simulated phone's rig leaves.
    private static func apart(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return "\(path[..<slash])/\(RigEndpoint.simulatedFolder)\(path[slash...])"
    }
}

extension RigConnection {
    /// The same rig with only these capabilities, so that a scenario that asks for another one is skipped.
    fileprivate func limited(to description: RigDescription) -> RigConnection {
        var rig = RigConnection(description, host: host, accessory: accessory)
        (rig.absence, rig.asleep, rig.events, rig.adapters) = (absence, asleep, events, adapters)
        (rig.phoneController, rig.capture) = (phoneController, capture)
        if description.has(.hostStacks) { rig.hostStacks = hostStacks }
        return rig
    }
}
