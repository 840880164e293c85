import HIL
import HILAudit

// Checks of audits are scenarios of their own: `newDieIsOnboarded~pairing.legacy`.
extension Plan {
    /// Between the name of a scenario and that of a control.
    fileprivate static let separator: Character = "~"

    /// Each control on each of these cases, as far as something checks it here.
    package init(auditing scenarios: [PlannedScenario], _ controls: [AuditControl]) {
        self.init(
            all: scenarios.flatMap { planned in controls.compactMap { Plan.check($0, on: planned) } })
    }

    /// The check of an accessory that a team declares by a name: `.latch~pairing.legacy`.
    ///
    /// - Returns: Nil if no accessory has that name.
    @MainActor
    package static func planned(_ identifier: String, of accessories: [NamedAccessory]) -> PlannedScenario? {
        let name = identifier.prefix { $0 != separator }
        guard let accessory = accessories.first(where: { $0.name == name }) else { return nil }
        return Plan(setting: [accessory]).planned(identifier)
    }

    /// The set-up of each of these accessories by an app of the harness.
    @MainActor
    package init(setting accessories: [NamedAccessory]) {
        self.init(
            all: accessories.map(\.scenario).flatMap { named in
                named.scenario.cases.map { PlannedScenario(named, $0) }
            })
    }

    /// The case with an identifier, which may be a check of an audit.
    package func planned(_ identifier: String) -> PlannedScenario? {
        if let planned = all.first(where: { $0.identifier == identifier }) { return planned }
        return (all + PlannedScenario.onTheDesk()).lazy.compactMap { planned in
            let name = planned.named.name + String(Plan.separator)
            guard identifier.hasPrefix(name) else { return nil }
            let control = identifier.dropFirst(name.count).prefix { $0 != "[" && $0 != "#" }
            return AuditControl.all.first { $0.name == control }.flatMap { Plan.check($0, on: planned) }
        }.first { $0.identifier == identifier }
    }

    private static func check(_ control: AuditControl, on planned: PlannedScenario) -> PlannedScenario? {
        guard let scenario = planned.scenario.auditing(control) else { return nil }
        let named = NamedScenario(
            planned.named.name + String(separator) + control.name, file: planned.named.file, scenario,
            accessory: planned.named.accessory)
        return scenario.cases.first { $0.label == planned.oneCase.label }.map { PlannedScenario(named, $0) }
    }
}

extension PlannedScenario {
    /// The audit of a device on the desk, which is in no list. No constant of a team can have its name.
    ///
    /// - Parameter title: What the device is; nil where nobody reads it.
    package static func onTheDesk(_ title: String? = nil) -> [PlannedScenario] {
        let scenario = Scenario.onTheDesk(title)
        let named = NamedScenario(Invocation.deskName, file: "", scenario)
        return scenario.cases.map { PlannedScenario(named, $0) }
    }

    /// The control that it checks; nil if it is no check of an audit.
    package var control: AuditControl? {
        guard let mark = named.name.lastIndex(of: Plan.separator) else { return nil }
        let name = named.name[named.name.index(after: mark)...]
        return AuditControl.all.first { $0.name == name }
    }
}
