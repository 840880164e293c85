import HILPhone
import HILRecord

/// What a scenario declares for `hil explore`, beside its body.
struct ExplorationDeclaration: Sendable {
    /// What a person does next, after an attempt that failed; nil for the body once more.
    var recovery: Scenario.Body?
    var promises: [ExploredPromise] = []
    var faults: [TeamFault] = []
}

/// Something that must hold at the end of every trial of an exploration, whatever went wrong before.
public struct ExploredPromise: Sendable {
    enum Kind: Sendable {
        case oneBondAtBothEnds
        case secret(@MainActor @Sendable (Lab) async throws -> String)
        case custom(@MainActor @Sendable (Lab) async throws -> Bool)
    }

    /// The promise as a sentence: `the latch is locked`.
    let text: String
    let kind: Kind

    /// Phone and accessory have one bond, or neither has one.
    public static var oneBondAtBothEnds: ExploredPromise {
        ExploredPromise(text: "one bond at both ends", kind: .oneBondAtBothEnds)
    }

    /// A secret is in no radio frame that others can read, in no line that the accessory's program prints, and in no name.
    ///
    /// - Parameters:
    ///   - name: What it is, for the finding: `the home's passphrase`.
    ///   - secret: The secret, at the end of the trial. An empty one is not looked for.
    public static func secretNeverInTheClear(
        _ name: String, _ secret: @escaping @MainActor @Sendable (Lab) async throws -> String
    ) -> ExploredPromise {
        ExploredPromise(text: name, kind: .secret(secret))
    }

    /// Something that the scenario can ask the lab.
    ///
    /// - Parameters:
    ///   - text: What holds, as a sentence: `the latch is locked`.
    ///   - holds: Whether it holds. An error that it throws counts as no.
    public static func custom(
        _ text: String, _ holds: @escaping @MainActor @Sendable (Lab) async throws -> Bool
    ) -> ExploredPromise {
        ExploredPromise(text: text, kind: .custom(holds))
    }
}

/// A team's own fault for an exploration.
public struct TeamFault: Sendable {
    /// Its name on the command line and in reports, in one word: `doorOpened`.
    let name: String
    let begin: Scenario.Body
    let undo: Scenario.Body

    /// - Parameters:
    ///   - name: Its name on the command line and in reports, in one word: `doorOpened`.
    ///   - begin: Makes it happen, and throws if it did not.
    ///   - undo: Ends it. It is called when the attempt has ended, before the next one.
    public init(
        _ name: String, begin: @escaping Scenario.Body, undo: @escaping Scenario.Body = { _ in }
    ) {
        (self.name, self.begin, self.undo) = (name, begin, undo)
    }
}

extension ScenarioTrait {
    /// Sharpens what `hil explore` does with the scenario. Without it, a next attempt is the body once more, after the person
    /// has removed the accessory in Settings.
    ///
    /// - Parameters:
    ///   - recovery: What a person does next after an attempt that failed. It has recovered if this throws nothing.
    ///   - holds: What must hold at the end of every trial.
    ///   - faults: Faults beside those of the harness.
    public static func explores(
        recovery: Scenario.Body? = nil, holds: [ExploredPromise] = [], faults: [TeamFault] = []
    ) -> ScenarioTrait {
        ScenarioTrait(
            kind: .explores(ExplorationDeclaration(recovery: recovery, promises: holds, faults: faults)))
    }
}

extension ScenarioTraits {
    /// The names of the team's own faults.
    package var teamFaults: [String] { exploration.faults.map(\.name) }
}
