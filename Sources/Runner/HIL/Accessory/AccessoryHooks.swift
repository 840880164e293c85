import HILTiming

/// A command that does something with an accessory which the harness cannot do: it presses its button, cuts its power.
public struct Hook: Sendable, Hashable {
    enum Place: Sendable, Hashable {
        case runner
        case board
    }

    let place: Place
    let command: [String]
    let limit: Duration

    /// A command on the machine that runs the scenario, in the folder of the package of the scenarios.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. No shell is involved.
    ///   - limit: After this time the command is killed, and the hook has failed.
    public static func onRunner(_ command: [String], within limit: Duration = .seconds(30)) -> Hook {
        Hook(place: .runner, command: command, limit: limit)
    }

    /// A command on the accessory board, in the working folder of the program that was started last.
    ///
    /// - Parameters:
    ///   - command: The program and its arguments. No shell is involved.
    ///   - limit: After this time the command is killed, and the hook has failed.
    public static func onBoard(_ command: [String], within limit: Duration = .seconds(30)) -> Hook {
        Hook(place: .board, command: command, limit: limit)
    }
}

/// The hooks of an accessory, each of them optional. A scenario that uses a missing one is skipped.
public struct AccessoryHooks: Sendable, Hashable {
    /// What a hook does.
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// Restarts the accessory. It keeps its settings and bonds.
        case reset
        /// Restores the accessory's factory state.
        case factoryReset
        /// Presses a button. The button's name, if the scenario gives one, is added to the command.
        case press
        /// Switches the power. `on` or `off` is added to the command.
        case power
        /// Prints the version of the firmware, which the report shows.
        case version
        /// Prints the accessory's log, which is kept as evidence at the end of a scenario.
        case logs
    }

    private let hooks: [Name: Hook]

    /// An accessory without hooks.
    public static let none = AccessoryHooks()

    /// Makes the hooks of an accessory; it lacks those that are nil.
    public init(
        reset: Hook? = nil, factoryReset: Hook? = nil, press: Hook? = nil, power: Hook? = nil, version: Hook? = nil,
        logs: Hook? = nil
    ) {
        let all: [(Name, Hook?)] = [
            (.reset, reset), (.factoryReset, factoryReset), (.press, press), (.power, power), (.version, version),
            (.logs, logs),
        ]
        hooks = Dictionary(uniqueKeysWithValues: all.compactMap { name, hook in hook.map { (name, $0) } })
    }

    /// The hook with this name; nil if there is none.
    public subscript(name: Name) -> Hook? { hooks[name] }
}

/// A hook that a scenario needs, for ``ScenarioTrait/needs(_:)-(HookNeed...)``.
public struct HookNeed: Sendable, Hashable {
    let name: AccessoryHooks.Name

    /// An accessory of the scenario has this hook.
    public static func hook(_ name: AccessoryHooks.Name) -> HookNeed { HookNeed(name: name) }
}
