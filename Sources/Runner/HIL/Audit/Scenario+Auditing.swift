import HILAudit
import HILPhone
import HILRecord
import RigModel

extension Scenario {
    /// A scenario that checks one control of an audit, on the accessory of this one.
    ///
    /// It fails if an attacker can do what must not be, and says what was tried and what came. What does not apply is skipped
    /// with its reason.
    ///
    /// - Returns: Nil if nothing here checks the control.
    package func auditing(_ control: AuditControl) -> Scenario? {
        guard AuditCheck.of(control.name) != nil else { return nil }
        return Scenario(
            title: "\(control.sentence): \(title)", traits: auditTraits([]),
            cases: cases.map { one in
                ScenarioCase(settings: one.settings, values: one.values, system: one.system) { lab in
                    try await check(control, on: one, in: lab, lab.attack)
                }
            }, location: location)
    }

    /// What a check needs, and how long it may take.
    private func auditTraits(_ more: [ScenarioTrait]) -> ScenarioTraits {
        traits.played(with: more, more: traits.budget * 2 + .seconds(120))
    }

    /// Declares a scenario that sends the packets once more that an audit has found. `hil audit --keep` writes these.
    ///
    /// It has failed if they breach the control again.
    ///
    /// - Parameters:
    ///   - title: One sentence that says what happens. It must be unique among all scenarios.
    ///   - traits: Its tags and rules. What it needs is what `base` declares.
    ///   - base: The scenario that was audited.
    ///   - label: The case, as the list has it in brackets: `security=wpa3`. Empty for a scenario without axes.
    ///   - control: The name of the control: `robustness.attributes`.
    ///   - packets: The frames of L2CAP with their headers in hexadecimal, in order. `+` before one means that the link layer
    ///     marks it as more of the frame before, and `!` that no answer is waited for.
    public init(
        _ title: String, _ traits: ScenarioTrait..., attacking base: Scenario, where label: String = "",
        control: String, packets: [String], fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) {
        let chosen = base.cases.first { $0.label == label }
        var order = AttackOrder()
        order.packets = packets
        self.init(
            title: title, traits: base.auditTraits(traits),
            cases: [
                ScenarioCase(settings: [], system: chosen?.system) { [order] lab in
                    guard let chosen, let control = AuditControl.named(control).first else {
                        throw NoSuchCase(scenario: base.title, label: label)
                    }
                    lab.axisValues = chosen.values
                    try await base.check(control, on: chosen, in: lab, order)
                }
            ], location: SourceLocation(file: fileID, path: filePath, line: line))
    }

    @MainActor
    private func check(
        _ control: AuditControl, on one: ScenarioCase, in lab: Lab, _ order: AttackOrder
    ) async throws {
        guard let check = AuditCheck.of(control.name) else { return }
        try await perform(check, of: control, one, order, in: lab)
    }

    @MainActor
    func perform(
        _ check: AuditCheck, of control: AuditControl, _ one: ScenarioCase, _ order: AttackOrder, in lab: Lab
    ) async throws {
        let scene = AuditScene(lab, traits.audit ?? AuditExpectations(), order, journey: one.body)
        if let lack = scene.lack(of: check) { throw skip(lack, in: scene) }
        let finding: AuditFinding
        do {
            // Nobody knows what a device on the desk is, and a phone is attacked when its app has become a peripheral.
            switch scene.isOnDesk || scene.isOfPhone ? .setUp : check.start {
            case .new:
                guard try await scene.beginJourney() else {
                    let why = "the journey ends before the phone shows a screen"
                    scene.record(.found(outcome: .doesNotApply, reason: why, instead: nil))
                    throw skip(lab, "does not apply: \(why)")
                }
            case .setUp:
                try await scene.finishJourney()
                if scene.isOfPhone { scene.awaitStrangers(in: check) } else { try await scene.ownerLeaves() }
            }
            scene.record(.began)
            finding = try await find(check, in: scene)
            // What strangers can do is said also if the owner cannot go on afterwards.
            if !scene.isAttacked { judge(finding, of: control, in: scene) }
            if !scene.strangersStay { await scene.end() }
            // An accessory that is lost has no owner's journey any more; one that was not attacked needs none.
            if !scene.isLost, scene.isAttacked || finding.isVerdict { try await endWithOwner(scene) }
            await scene.end()
        } catch {
            await scene.end()
            lab.recorder.collect(nil)
            // An attacker who fails because the accessory has crashed is no error of the rig.
            guard let trouble = scene.trouble else { throw error }
            return judge(.breached(trouble), of: control, in: scene)
        }
        if scene.isAttacked {
            lab.recorder.collect(nil)
            judge(scene.lastFinding ?? finding, of: control, in: scene)
        }
        switch finding {
        case .doesNotApply(let why):
            throw skip(lab, "does not apply: \(why)\(networkHint(control).map { "; \($0)" } ?? "")")
        case .outOfReach(let why, let instead): throw skip(lab, "out of reach: \(why); \(instead)")
        case .holds, .breached: break
        }
    }

    /// What a check shows. A rig that lacks something for it shows nothing.
    @MainActor
    private func find(_ check: AuditCheck, in scene: AuditScene) async throws -> AuditFinding {
        do { return try await check.run(scene) } catch let lack as OutOfReach {
            return .outOfReach(lack.why, instead: lack.instead)
        }
    }

    @MainActor
    private func skip(_ lack: OutOfReach, in scene: AuditScene) -> RigLacks {
        scene.record(.found(outcome: .outOfReach, reason: lack.why, instead: lack.instead))
        return skip(scene.lab, "out of reach: \(lack.why); \(lack.instead)")
    }

    /// Lets the owner go on, which must work. After an attack by packets or links, a failure of it is a breach.
    @MainActor
    private func endWithOwner(_ scene: AuditScene) async throws {
        do { try await scene.endWithOwner() } catch {
            guard scene.isAttacked, Failure(error).kind == .product else { throw error }
            return scene.ownerFailed(error)
        }
        if let trouble = scene.trouble { scene.ownerFailed(trouble) }
    }

    @MainActor
    private func judge(_ finding: AuditFinding, of control: AuditControl, in scene: AuditScene) {
        let recorder = scene.lab.recorder
        scene.record(scene.expectations.note(on: finding, of: control, instead: networkHint(control)))
        switch finding {
        case .holds: recorder.record(.expectation(text: control.sentence, held: true, at: location))
        case .breached(let what) where scene.expectations.accepted[control.name] == nil:
            let clauses = control.clauses.map(\.description).joined(separator: ", ")
            // What an accessory did, a late machine did not do; that it no longer answers may be the machine's fault.
            let isSeen = control.family == .robustness && scene.trouble == nil
            recorder.record(
                .failure(
                    Failure(
                        .product, "breached: \(what) (\(clauses))", at: location, basis: isSeen ? .seen : .certain,
                        finding: scene.troubles.first?.finding)))
        case .breached, .doesNotApply, .outOfReach: break
        }
    }

    /// What to do for a control of networks that does not apply; nil if the scenario is the team's, which knows best.
    private func networkHint(_ control: AuditControl) -> String? {
        guard traits.isOwnersJourney, control.family == .wifi || control.name == "robustness.ports" else { return nil }
        return "audit a scenario whose app lets the accessory open or join a network"
    }

    @MainActor
    private func skip(_ lab: Lab, _ why: String) -> RigLacks {
        let lack = RigLacks(why)
        lab.recorder.recordOnce(lack)
        return lack
    }
}

extension AuditExpectations {
    /// What a check has shown, as a record keeps it.
    ///
    /// - Parameter instead: What to do where it does not apply; nil for nothing.
    fileprivate func note(on finding: AuditFinding, of control: AuditControl, instead: String?) -> AuditNote {
        switch finding {
        case .holds: .found(outcome: .holds, reason: nil, instead: nil)
        case .doesNotApply(let why): .found(outcome: .doesNotApply, reason: why, instead: instead)
        case .outOfReach(let why, let instead): .found(outcome: .outOfReach, reason: why, instead: instead)
        case .breached(let what):
            if let reason = accepted[control.name] {
                .found(outcome: .accepted, reason: "\(what); accepted, because \(reason)", instead: nil)
            } else {
                .found(outcome: .breached, reason: what, instead: nil)
            }
        }
    }
}
