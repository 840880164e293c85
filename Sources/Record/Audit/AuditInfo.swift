/// What an audit is about to check: all controls, and the accessories.
package struct AuditInfo: Sendable, Hashable, Codable {
    /// A requirement of a catalogue.
    package struct Clause: Sendable, Hashable, Codable {
        /// The name of its catalogue: `EN 18031`.
        package var catalogue: String
        /// `ACM-2`.
        package var number: String

        package init(_ catalogue: String, _ number: String) { (self.catalogue, self.number) = (catalogue, number) }

        /// `EN 18031 ACM-2`.
        package var text: String { "\(catalogue) \(number)" }
    }

    /// A catalogue with all its clauses that an audit knows.
    package struct Catalogue: Sendable, Hashable, Codable {
        package struct Entry: Sendable, Hashable, Codable {
            package var number, title: String

            package init(number: String, title: String) { (self.number, self.title) = (number, title) }
        }

        package var name: String
        /// Where the clauses come from: an address.
        package var source: String
        package var clauses: [Entry]

        package init(name: String, source: String, clauses: [Entry]) {
            (self.name, self.source, self.clauses) = (name, source, clauses)
        }
    }

    /// Why no case of the run checks a control.
    package struct Missing: Sendable, Hashable, Codable {
        package var outcome: AuditOutcome
        package var reason: String
        /// What to do instead; nil if it is known nowhere.
        package var instead: String?

        package init(_ outcome: AuditOutcome, _ reason: String, instead: String? = nil) {
            (self.outcome, self.reason, self.instead) = (outcome, reason, instead)
        }
    }

    package struct Control: Sendable, Hashable, Codable {
        /// With its family: `pairing.legacy`.
        package var name: String
        package var family: String
        /// What must hold.
        package var sentence: String
        package var clauses: [Clause]
        /// Whether the command line asks for it.
        package var isChosen: Bool
        /// Nil if cases of the run check it.
        package var missing: Missing?

        package init(
            name: String, family: String, sentence: String, clauses: [Clause], isChosen: Bool = true,
            missing: Missing? = nil
        ) {
            (self.name, self.family, self.sentence, self.clauses) = (name, family, sentence, clauses)
            (self.isChosen, self.missing) = (isChosen, missing)
        }
    }

    /// An accessory that is attacked: that of a case of a scenario.
    package struct Target: Sendable, Hashable, Codable {
        /// The identifier of the case: `openBrightness[accessory=weak]`.
        package var scenario: String
        package var title: String
        /// The SHA-256 sums of what was attacked, by name: of the program with scenario, app and accessory, and of the
        /// accessory's files.
        package var digests: [String: String]

        package init(scenario: String, title: String, digests: [String: String]) {
            (self.scenario, self.title, self.digests) = (scenario, title, digests)
        }
    }

    /// All of them, by families.
    package var controls: [Control]
    package var catalogues: [Catalogue]
    package var targets: [Target]

    package init(controls: [Control], catalogues: [Catalogue], targets: [Target]) {
        (self.controls, self.catalogues, self.targets) = (controls, catalogues, targets)
    }

    /// The controls that are evidence for a clause.
    package func controls(for number: String, of catalogue: String) -> [Control] {
        controls.filter { $0.clauses.contains(Clause(catalogue, number)) }
    }
}
