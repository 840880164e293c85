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
        guard let check = AuditCheck.of(control.name) else { return nil }
        let expectations = traits.audit ?? AuditExpectations()
        let base = self
        return Scenario(
            title: "\(control.sentence): \(title)",
            traits: traits.played(with: [.needs(.hostStacks)], more: traits.budget * 2 + .seconds(120)),
            cases: cases.map { one in
                ScenarioCase(settings: one.settings, values: one.values, system: one.system) { lab in
                    try await base.perform(check, of: control, one, expectations, in: lab)
                }
            }, location: location)
    }

    @MainActor
    private func perform(
        _ check: AuditCheck, of control: AuditControl, _ one: ScenarioCase, _ expectations: AuditExpectations,
        in lab: Lab
    ) async throws {
        let scene = AuditScene(lab, expectations, journey: one.body)
        let finding: AuditFinding
        do {
            switch check.start {
            case .new:
                guard try await scene.beginJourney() else {
                    let why = "the journey ends before the phone shows a screen"
                    scene.record(.found(outcome: .doesNotApply, reason: why, instead: nil))
                    throw skip(lab, "does not apply: \(why)")
                }
            case .setUp:
                try await scene.finishJourney()
                try await scene.ownerLeaves()
            }
            scene.record(.began)
            finding = try await check.run(scene)
            scene.record(expectations.note(on: finding, of: control))
            // What strangers can do is said also if the owner cannot go on afterwards.
            judge(finding, of: control, expectations, in: lab)
            await scene.end()
            try await scene.endWithOwner()
        } catch {
            await scene.end()
            throw error
        }
        switch finding {
        case .doesNotApply(let why): throw skip(lab, "does not apply: \(why)")
        case .outOfReach(let why, let instead): throw skip(lab, "out of reach: \(why); \(instead)")
        case .holds, .breached: break
        }
    }

    @MainActor
    private func judge(
        _ finding: AuditFinding, of control: AuditControl, _ expectations: AuditExpectations, in lab: Lab
    ) {
        switch finding {
        case .holds: lab.recorder.record(.expectation(text: control.sentence, held: true, at: location))
        case .breached(let what) where expectations.accepted[control.name] == nil:
            let clauses = control.clauses.map(\.description).joined(separator: ", ")
            // What an accessory did, a late machine did not do; that it no longer answers may be the machine's fault.
            let basis: Failure.Basis = control.family == .robustness ? .seen : .certain
            lab.recorder.record(
                .failure(Failure(.product, "breached: \(what) (\(clauses))", at: location, basis: basis)))
        case .breached, .doesNotApply, .outOfReach: break
        }
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
    fileprivate func note(on finding: AuditFinding, of control: AuditControl) -> AuditNote {
        switch finding {
        case .holds: .found(outcome: .holds, reason: nil, instead: nil)
        case .doesNotApply(let why): .found(outcome: .doesNotApply, reason: why, instead: nil)
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
