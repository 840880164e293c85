import Foundation
import HILAudit
import HILRecord

extension AuditInfo {
    /// What an audit of these scenarios' accessories checks, and what it leaves out, and why.
    ///
    /// - Parameters:
    ///   - chosen: The controls that the command line asks for.
    ///   - checks: The cases that check them.
    ///   - digests: The SHA-256 sums of what is attacked, by name.
    package init(
        of scenarios: [PlannedScenario], chosen: [AuditControl], checks: Plan,
        digests: (PlannedScenario) -> [String: String]
    ) {
        let chosen = Set(chosen.map(\.name))
        let checked = Set(checks.all.compactMap { $0.control?.name })
        self.init(
            controls: AuditControl.all.map { control in
                Control(control, isChosen: chosen.contains(control.name), isChecked: checked.contains(control.name))
            },
            catalogues: AuditClause.Catalogue.allCases.map { catalogue in
                Catalogue(
                    name: catalogue.rawValue, source: catalogue.source,
                    clauses: catalogue.titles.sorted {
                        $0.key.compare($1.key, options: .numeric) == .orderedAscending
                    }.map { Catalogue.Entry(number: $0.key, title: $0.value) })
            },
            targets: scenarios.map {
                Target(scenario: $0.identifier, title: $0.title, digests: digests($0))
            })
    }
}

extension AuditInfo.Control {
    fileprivate init(_ control: AuditControl, isChosen: Bool, isChecked: Bool) {
        self.init(
            name: control.name, family: control.family.rawValue, sentence: control.sentence,
            clauses: control.clauses.map { AuditInfo.Clause($0.catalogue.rawValue, $0.number) }, isChosen: isChosen,
            missing: isChecked ? nil : AuditInfo.Missing(control, isChosen: isChosen))
    }
}

extension AuditInfo.Missing {
    /// Why nothing checks a control.
    package init(_ control: AuditControl, isChosen: Bool) {
        switch control.reach {
        case .outOfReach(let why, let instead): self.init(.outOfReach, why, instead: instead)
        case .here where isChosen: self.init(.notChecked, "no check of it exists yet")
        case .here: self.init(.notChecked, "the command line asks for others")
        }
    }
}
