import HILRecord
import RadioModel
import RigModel

/// A word by which the command line chooses scenarios: `hil run --tag pairing`.
///
/// A team's own tags are written as strings: `.tags("display")`.
public struct Tag: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The word.
    public let description: String

    public init(stringLiteral word: String) { description = word }

    /// A few quick scenarios that show whether the basics work.
    public static let smoke: Tag = "smoke"
    /// How accessories are found.
    public static let discovery: Tag = "discovery"
    /// How accessories are paired.
    public static let pairing: Tag = "pairing"
    /// Wi-Fi networks.
    public static let wifi: Tag = "wifi"
    /// Notifications that an accessory receives.
    public static let notifications: Tag = "notifications"
    /// Hostile and faulty accessories.
    public static let robustness: Tag = "robustness"
    /// Scenarios in which the air or a board has a fault on request.
    public static let faults: Tag = "faults"
    /// What `hil play` starts when no scenario is named.
    public static let play: Tag = "play"
}

/// All declarations of a scenario, from its traits.
package struct ScenarioTraits: Sendable {
    /// Its tags, in the order of their declaration.
    package private(set) var tags: [Tag] = []
    /// The rules that it covers: `K1`.
    package private(set) var rules: [String] = []
    /// How long its body may take; 60 s by default.
    package private(set) var budget: Duration = .seconds(60)
    /// A part of the reason for which the system must end the app; nil if it must not.
    package private(set) var expectedCrash: String?
    /// What the rig must be able to do.
    package private(set) var needs: [Capability] = []
    /// The programs that it runs on the accessory board.
    package private(set) var programs: [AccessoryProgram] = []
    /// Those of its programs that start with the board; more than one is a mistake.
    package private(set) var startingPrograms: [AccessoryProgram] = []
    /// The hooks that it needs.
    private var hookNeeds: [AccessoryHooks.Name] = []
    /// The hooks of its accessories.
    private var hooks: [AccessoryHooks] = []
    /// The host stacks that are started while the boards are made ready.
    package private(set) var hostStacks: [DeclaredHostStack] = []
    /// The quarantine of a scenario that is known to fail; else nil.
    package private(set) var quarantine: Quarantine?
    /// Whether it uses the accessory board.
    package private(set) var usesAccessoryBoard = true
    /// What it declares for explorations.
    private(set) var exploration = ExplorationDeclaration()
    /// What its accessory means to allow an attacker; nil if it says nothing.
    private(set) var audit: AuditExpectations?
    /// Whether its journey is that of an app of the harness, which joins no network.
    private(set) var isOwnersJourney = false

    /// Whether it surely uses the phone's Wi-Fi, or a fault of the host board. Others may do so, too: then their host
    /// board starts late.
    package var usesPhoneWiFi: Bool {
        let capabilities: Set<Capability> = [
            .wifi, .wifiAware, .homeNetwork, .homeRouter, .homeControl, .ownBoards, .power,
        ]
        return tags.contains(.wifi) || !capabilities.isDisjoint(with: needs)
    }

    init(_ traits: [ScenarioTrait]) { add(traits) }

    /// The needs of a scenario that plays this one, and further traits. Tags, rules and a quarantine are not passed on.
    ///
    /// - Parameter more: Time that the played one may take in addition.
    func played(with traits: [ScenarioTrait], more: Duration) -> ScenarioTraits {
        var copy = self
        if usesPhoneWiFi, !needs.contains(.wifi) { copy.needs.append(.wifi) }
        (copy.tags, copy.rules, copy.quarantine) = ([], [], nil)
        copy.budget += more
        copy.add(traits)
        return copy
    }

    private mutating func add(_ traits: [ScenarioTrait]) {
        for trait in traits {
            switch trait.kind {
            case .tags(let tags): self.tags += tags
            case .covers(let rules): self.rules += rules
            case .budget(let budget): self.budget = budget
            case .crashes(let reason): expectedCrash = reason
            case .needs(let capabilities): needs += capabilities
            case .hostStack(let stack):
                hostStacks.append(stack)
                if !needs.contains(.hostStacks) { needs.append(.hostStacks) }
            case .quarantined(let quarantine): self.quarantine = quarantine
            case .program(let program, let startsWithBoard):
                programs.append(program)
                if startsWithBoard { startingPrograms.append(program) }
                hooks.append(program.hooks)
                if !needs.contains(.accessoryBoard) { needs.append(.accessoryBoard) }
            case .hooks(let declared): hooks.append(declared)
            case .needsHooks(let names): hookNeeds += names
            case .withoutAccessoryBoard: usesAccessoryBoard = false
            case .explores(let declared): exploration = declared
            case .audits(let declared): audit = declared
            case .ownersJourney: isOwnersJourney = true
            }
        }
    }

    /// Finds a second program that would start with the board.
    ///
    /// - Throws: ``ProgramMistake``.
    package func checkStartingPrograms() throws(ProgramMistake) {
        guard startingPrograms.count > 1 else { return }
        throw ProgramMistake(
            startingPrograms[1].name,
            "“\(startingPrograms[0].name)” starts with the board already, which runs one program at a time: leave "
                + "startsWithBoard out, and start it in the scenario")
    }

    /// Why the scenario cannot run on a rig of this kind; nil if it can.
    package func lack(on rig: RigDescription) -> RigLacks? {
        if let lack = rig.lack(of: needs) { return lack }
        guard let missing = hookNeeds.first(where: { name in !hooks.contains { $0[name] != nil } }) else { return nil }
        return RigLacks("no accessory that the scenario declares has the hook `\(missing.rawValue)`")
    }
}

/// One declaration of a scenario: its tags, rules, budget, needs, accessory, host stacks, expected crash, or
/// quarantine.
public struct ScenarioTrait: Sendable {
    enum Kind: Sendable {
        case tags([Tag])
        case covers([String])
        case budget(Duration)
        case crashes(String)
        case needs([Capability])
        case hostStack(DeclaredHostStack)
        case quarantined(Quarantine)
        case program(AccessoryProgram, startsWithBoard: Bool)
        case hooks(AccessoryHooks)
        case needsHooks([AccessoryHooks.Name])
        case withoutAccessoryBoard
        case explores(ExplorationDeclaration)
        case audits(AuditExpectations)
        case ownersJourney
    }

    let kind: Kind

    /// Adds tags, by which the command line chooses scenarios.
    public static func tags(_ tags: Tag...) -> ScenarioTrait { ScenarioTrait(kind: .tags(tags)) }

    /// Names the rules of phone and accessory that the scenario covers: `"K1"`. `hil rules` lists them all.
    public static func covers(_ rules: String...) -> ScenarioTrait { ScenarioTrait(kind: .covers(rules)) }

    /// Sets how long the body may take after the boards are ready. A scenario that takes longer is stopped, and has
    /// failed.
    public static func budget(_ budget: Duration) -> ScenarioTrait { ScenarioTrait(kind: .budget(budget)) }

    /// The scenario passes only if the system ends the app, for a reason that contains `text`.
    public static func crashes(because text: String) -> ScenarioTrait { ScenarioTrait(kind: .crashes(text)) }

    /// Names what the rig must be able to do. On another rig the scenario is skipped, and the report says why.
    ///
    /// With `.wifi`, the phone's Wi-Fi is ready when the scenario begins; without, a native host board is switched on when
    /// the phone's Wi-Fi is first used.
    public static func needs(_ capabilities: Capability...) -> ScenarioTrait {
        ScenarioTrait(kind: .needs(capabilities))
    }

    /// Names a hook that an accessory of the scenario must have. Without one the scenario is skipped, and the report says
    /// why.
    ///
    /// The accessory is declared by ``accessory(_:startsWithBoard:)`` or ``accessory(hooks:)``.
    public static func needs(_ hooks: HookNeed...) -> ScenarioTrait {
        ScenarioTrait(kind: .needsHooks(hooks.map(\.name)))
    }

    /// Declares the program that the scenario runs on the accessory board. A mistake in its declaration then ends the
    /// command with exit code 64, before any board is started.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - startsWithBoard: Whether the accessory is on already when the scenario begins, as most are before their person
    ///     takes the phone. The program then starts without being asked, and
    ///     ``AccessoryBoard/run(_:adapter:fileID:filePath:line:)`` waits only until it is ready. Boards that can be saved are saved
    ///     with the program running when a second scenario uses the same one, so that from then on even a slow start takes
    ///     no time. Only one program of a scenario can start with the board.
    public static func accessory(_ program: AccessoryProgram, startsWithBoard: Bool = false) -> ScenarioTrait {
        ScenarioTrait(kind: .program(program, startsWithBoard: startsWithBoard))
    }

    /// Declares the hooks of an accessory that is a black box.
    public static func accessory(hooks: AccessoryHooks) -> ScenarioTrait { ScenarioTrait(kind: .hooks(hooks)) }

    /// Starts a program with a host stack while the boards are made ready, so that a slow start costs less time.
    ///
    /// ``AirHandle/hostStack(_:fileID:filePath:line:)`` gives its handle to the body. The scenario then also needs
    /// `Capability.hostStacks`. A mistake in the declaration ends the command with exit code 64, before any
    /// board is started.
    ///
    /// - Parameters:
    ///   - stack: The program.
    ///   - name: Its name, in one word: `keyboard`.
    ///   - address: The public address of its controller; nil for the next free one.
    public static func attaches(
        _ stack: HostStack, named name: String, at address: DeviceAddress? = nil
    ) -> ScenarioTrait {
        ScenarioTrait(kind: .hostStack(DeclaredHostStack(stack: stack, name: name, address: address)))
    }

    /// Says that the scenario uses the phone and the air, and no accessory board: its accessories are host stacks or stations
    /// of the air, or there are none.
    ///
    /// A virtual rig then starts only the host board, which takes less time, memory and work of this machine. A scenario that
    /// uses the board anyway fails. One that also declares an accessory's program is a mistake that ends the command
    /// with exit code 64.
    public static var withoutAccessoryBoard: ScenarioTrait { ScenarioTrait(kind: .withoutAccessoryBoard) }

    /// Marks a scenario as known to fail. It runs and is shown, but does not affect the exit code until that day has
    /// passed.
    ///
    /// - Parameters:
    ///   - owner: The person or team that repairs it.
    ///   - ticket: The ticket about it.
    ///   - until: The last day of the quarantine, in UTC, written as `"2026-12-31"`.
    public static func quarantined(owner: String, ticket: String, until: String) -> ScenarioTrait {
        ScenarioTrait(kind: .quarantined(Quarantine(owner: owner, ticket: ticket, until: until)))
    }
}
