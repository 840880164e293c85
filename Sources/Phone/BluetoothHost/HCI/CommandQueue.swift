/// Identifies a command that was sent.
package struct CommandToken: Sendable, Hashable {
    fileprivate let number: UInt64
}

/// Commands that wait for room in the controller, and commands that wait for their answer.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 4.4.
struct CommandQueue: Sendable {
    private struct Entry {
        let token: CommandToken
        let command: HCICommand
        /// When it was sent; before that, when it came.
        var since: Duration
    }

    /// The oldest first.
    private var waiting: [Entry] = []
    /// The oldest first.
    private var unanswered: [Entry] = []
    /// How many commands without an answer the controller takes: 1 until it says otherwise.
    private var allowance = 1
    /// When the controller said so.
    private var allowanceSince = Duration.zero
    private var next: UInt64 = 0

    /// How many commands wait, for room or for their answer.
    var count: Int { waiting.count + unanswered.count }

    mutating func add(_ command: HCICommand, at now: Duration) -> CommandToken {
        let token = self.token()
        waiting.append(Entry(token: token, command: command, since: now))
        return token
    }

    /// A token without a command.
    mutating func token() -> CommandToken {
        defer { next &+= 1 }
        return CommandToken(number: next)
    }

    mutating func removeAll() { (waiting, unanswered) = ([], []) }

    /// The packets of the commands that the controller takes now.
    mutating func packets(at now: Duration) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let command = waiting.first?.command, hasRoom(for: command) {
            var entry = waiting.removeFirst()
            entry.since = now
            unanswered.append(entry)
            packets.append(command.packet)
        }
        return packets
    }

    /// Takes an answer.
    ///
    /// - Returns: The oldest command with this opcode; nil if there is none.
    mutating func answer(_ opcode: HCIOpcode, allowance: Int, at now: Duration) -> CommandToken? {
        // A controller that says 0 again and again has no more time than one that says it once.
        if allowance > 0 || self.allowance > 0 { allowanceSince = now }
        self.allowance = allowance
        guard let place = unanswered.firstIndex(where: { $0.command.opcode == opcode }) else { return nil }
        return unanswered.remove(at: place).token
    }

    /// When the controller has taken too long.
    func deadline(limit: Duration) -> Duration? {
        if let oldest = unanswered.first { return oldest.since + limit }
        return waiting.first.map { max($0.since, allowanceSince) + limit }
    }

    /// What the controller did not do in time; nil if nothing is overdue.
    func overdue(limit: Duration, at now: Duration) -> String? {
        guard let deadline = deadline(limit: limit), deadline <= now else { return nil }
        if let oldest = unanswered.first { return "did not answer \(oldest.command) within \(limit)" }
        return waiting.first.map { "did not take \($0.command) within \(limit)" }
    }

    /// Whether the controller takes a command now. Unanswered commands count against its allowance even if it has
    /// subtracted them itself, so that there are never too many. Nothing is sent beside a Reset.
    private func hasRoom(for command: HCICommand) -> Bool {
        if command.opcode == .reset { return unanswered.isEmpty && allowance > 0 }
        return unanswered.count < allowance && !unanswered.contains { $0.command.opcode == .reset }
    }
}
