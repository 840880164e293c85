import RigModel

/// A word that scenarios are chosen by on the command line: `hil run --tag pairing`.
public struct Tag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The word.
    public let description: String

    public init(stringLiteral word: String) { description = word }

    /// The few that show in little time that nothing is grossly wrong.
    public static let smoke: Tag = "smoke"
    public static let discovery: Tag = "discovery"
    public static let pairing: Tag = "pairing"
    public static let wifi: Tag = "wifi"
    public static let notifications: Tag = "notifications"
    public static let robustness: Tag = "robustness"
    /// The air or a board misbehaves on request.
    public static let faults: Tag = "faults"
}

/// Everything that is declared of a scenario.
package struct ScenarioTraits: Sendable {
    /// The words that it is chosen by, in the order of their declaration.
    package private(set) var tags: [Tag] = []
    /// The rules that it covers: `K1`.
    package private(set) var rules: [String] = []
    /// How long its body may take; 60 s unless declared.
    package private(set) var budget: Duration = .seconds(60)
    /// What the reason of the crash must contain, for a scenario in which the system has to end the app.
    package private(set) var expectedCrash: String?
    /// What its rig has to be able to do.
    package private(set) var needs: [Capability] = []
    /// It is known to be bad.
    package private(set) var quarantine: Quarantine?

    init(_ traits: [ScenarioTrait]) {
        for trait in traits {
            switch trait.kind {
            case .tags(let tags): self.tags += tags
            case .covers(let rules): self.rules += rules
            case .budget(let budget): self.budget = budget
            case .crashes(let reason): expectedCrash = reason
            case .needs(let capabilities): needs += capabilities
            case .quarantined(let quarantine): self.quarantine = quarantine
            }
        }
    }
}

/// One thing declared of a scenario.
public struct ScenarioTrait: Sendable {
    enum Kind: Sendable {
        case tags([Tag])
        case covers([String])
        case budget(Duration)
        case crashes(String)
        case needs([Capability])
        case quarantined(Quarantine)
    }

    let kind: Kind

    /// Words that it is chosen by.
    public static func tags(_ tags: Tag...) -> ScenarioTrait { ScenarioTrait(kind: .tags(tags)) }

    /// Identifiers of the rules of phone and accessory that it covers: `"K1"`.
    public static func covers(_ rules: String...) -> ScenarioTrait { ScenarioTrait(kind: .covers(rules)) }

    /// How long its body may take, boards ready. Past that it is stopped, and has failed.
    public static func budget(_ budget: Duration) -> ScenarioTrait { ScenarioTrait(kind: .budget(budget)) }

    /// The system ends the app, for a reason that contains `text`: the scenario passes only if that happens.
    public static func crashes(because text: String) -> ScenarioTrait { ScenarioTrait(kind: .crashes(text)) }

    /// What its rig has to be able to do. On a rig that lacks any of it, the scenario is skipped, and the report says why.
    public static func needs(_ capabilities: Capability...) -> ScenarioTrait {
        ScenarioTrait(kind: .needs(capabilities))
    }

    /// It is known to be bad: it runs and is shown, and does not decide the exit code, until that day has passed.
    ///
    /// - Parameters:
    ///   - owner: Who mends it.
    ///   - ticket: Where that is written down.
    ///   - until: The last day, in UTC, as `"2026-12-31"`; from the next on the scenario decides again.
    public static func quarantined(owner: String, ticket: String, until: String) -> ScenarioTrait {
        ScenarioTrait(kind: .quarantined(Quarantine(owner: owner, ticket: ticket, until: until)))
    }
}
