/// Something that must hold against an attacker in radio range, and how an audit shows it.
package struct AuditControl: Sendable, Hashable {
    package enum Family: String, Sendable, Hashable, CaseIterable {
        case air, pairing, access, robustness, wifi, life
        /// What nothing on the air shows.
        case paper
    }

    /// Whether an audit can show it.
    package enum Reach: Sendable, Hashable {
        case here
        /// No virtual controller, or nothing on the air, shows it: why, and what to do instead.
        case outOfReach(String, instead: String)
    }

    /// Its name on the command line and in reports, with its family: `pairing.legacy`.
    package let name: String
    package let family: Family
    /// What holds, as a sentence.
    package let sentence: String
    package let clauses: [AuditClause]
    package let reach: Reach

    init(
        _ family: Family, _ name: String, _ sentence: String, bsam: String..., radio: [String] = [],
        consumer: [String] = [], _ reach: Reach = .here
    ) {
        self.name = "\(family.rawValue).\(name)"
        (self.family, self.sentence, self.reach) = (family, sentence, reach)
        clauses =
            bsam.map { AuditClause(.bsam, $0) } + radio.map { AuditClause(.radioEquipment, $0) }
            + consumer.map { AuditClause(.consumer, $0) }
    }

    /// About how long its check takes on virtual boards. A plan begins with the longest.
    package var seconds: Double {
        switch name {
        case "robustness.attributes", "wifi.services": 60
        case "robustness.occupied": 50
        default: family == .robustness ? 25 : 5
        }
    }

    /// All of them, by families.
    package static let all = air + pairing + access + robustness + wifi + life + paper

    /// The controls that a person names: a family, or one by its name.
    package static func named(_ text: String) -> [AuditControl] {
        all.filter { $0.name == text || $0.family.rawValue == text }
    }
}
