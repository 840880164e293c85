import HIL
import HILCommand
import Scenarios

/// Scenarios that belong together, in a folder of their own, and the rigs that they run on.
struct Room: Sendable {
    let name: String
    let rig: RigKind
    /// The accessories that audits attack by their names.
    let accessories: @Sendable () -> [NamedAccessory]
    let scenarios: @Sendable () -> [NamedScenario]

    init(
        _ name: String, on rig: RigKind = .virtual,
        accessories: @escaping @Sendable () -> [NamedAccessory] = { [] },
        _ scenarios: @escaping @Sendable () -> [NamedScenario]
    ) {
        (self.name, self.rig, self.accessories, self.scenarios) = (name, rig, accessories, scenarios)
    }

    static let all: [Room] = [
        .boardPrograms, .explorations, .extremes, .hostStackInterop, .hostStacks, .learnedPhones, .seededFaults,
        .twoAgents,
        .weakAccessories,
    ]

    /// All scenarios, on rigs that have only two agents.
    static let twoAgents = Room("two-agents", on: .twoAgents) {
        allScenarios + [NamedScenario("undeclaredPowerCut", file: "UndeclaredPowerCut.swift", undeclaredPowerCut)]
    }
}
