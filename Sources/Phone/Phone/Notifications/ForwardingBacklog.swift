import Synchronization

/// The commands for the data provider of an accessory that are not finished.
///
/// The backlog outlives a session: the next session repeats the unfinished commands, with the notifications as they are
/// then (N3).
final class ForwardingBacklog: Sendable {
    private struct State {
        var count = 0
        var commands: [(number: Int, command: ForwardingSession.Command)] = []
    }

    private let state = Mutex(State())

    /// Adds a command, and returns its number.
    func add(_ command: ForwardingSession.Command) -> Int {
        state.withLock { state in
            state.count += 1
            state.commands.append((state.count, command))
            return state.count
        }
    }

    /// Removes a command that the data provider has finished.
    func settle(_ number: Int) { state.withLock { $0.commands.removeAll { $0.number == number } } }

    /// Empties the backlog and returns the commands that replace it, in the order in which the phone shows the
    /// notifications.
    ///
    /// - Parameter posted: The notifications that the accessory is to show, as they are now. Any other that the backlog
    ///   names is removed from the accessory.
    func takeAll(posted: [PhoneNotification.Identifier: PhoneNotification]) -> [ForwardingSession.Command] {
        let left = state.withLock { state in
            defer { state.commands = [] }
            return state.commands.map(\.command)
        }
        var isCleared = false
        var order: [PhoneNotification.Identifier] = []
        var alerting: [PhoneNotification.Identifier: Alerting] = [:]
        var removed: Set<PhoneNotification.Identifier> = []
        for command in left {
            switch command {
            case .add(let notification, let how): alerting[notification.identifier] = how
            case .update: break
            case .remove(let identifier):
                // If it is posted again, it is the newest.
                order.removeAll { $0 == identifier }
                alerting[identifier] = nil
                removed.insert(identifier)
            case .removeAll: (isCleared, order, alerting, removed) = (true, [], [:], [])
            }
            if let identifier = command.identifier, !order.contains(identifier) { order.append(identifier) }
        }
        return (isCleared ? [.removeAll] : [])
            + order.flatMap { identifier -> [ForwardingSession.Command] in
                guard let notification = posted[identifier] else { return [.remove(identifier)] }
                guard let how = alerting[identifier] else { return [.update(notification)] }
                return (removed.contains(identifier) ? [.remove(identifier)] : []) + [.add(notification, how)]
            }
    }
}

extension ForwardingSession.Command {
    /// The notification that the command is about; nil if it is about all.
    fileprivate var identifier: PhoneNotification.Identifier? {
        switch self {
        case .add(let notification, _), .update(let notification): notification.identifier
        case .remove(let identifier): identifier
        case .removeAll: nil
        }
    }
}
