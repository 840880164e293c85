/// Names a command of GAP. The owner sends the command, and gives its result back with the purpose.
package struct CommandPurpose: Sendable, Hashable {
    /// The part of GAP that sent the command.
    package enum User: Sendable, Hashable, CaseIterable {
        case addressBook, scanner, connector, advertiser
    }

    package let user: User
    let number: Int
}

/// The commands of one part of GAP that wait for their results.
struct PendingCommands<Step: Sendable>: Sendable {
    private let user: CommandPurpose.User
    private var steps: [Int: Step] = [:]
    /// Never begins again, so that a result from before a power-off has no step.
    private var last = 0

    init(of user: CommandPurpose.User) { self.user = user }

    var isEmpty: Bool { steps.isEmpty }
    var count: Int { steps.count }

    mutating func begin(_ step: Step) -> CommandPurpose {
        last += 1
        steps[last] = step
        return CommandPurpose(user: user, number: last)
    }

    /// The step whose result came; nil for the result of an unknown or forgotten command.
    mutating func end(_ purpose: CommandPurpose) -> Step? {
        purpose.user == user ? steps.removeValue(forKey: purpose.number) : nil
    }

    /// Forgets the commands: Bluetooth went off.
    mutating func removeAll() { steps = [:] }
}
