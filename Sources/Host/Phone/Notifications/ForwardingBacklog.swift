import Synchronization

/// What the data provider of an accessory was, or is to be, told, and is not done with.
///
/// It outlives a session: what is left of one is told in the next, as it is by then (N3).
final class ForwardingBacklog: Sendable {
    private struct State {
        var count = 0
        var commands: [(number: Int, command: ForwardingSession.Command)] = []
    }

    private let state = Mutex(State())

    /// Notes something to be told, by a number that names it.
    func add(_ command: ForwardingSession.Command) -> Int {
        state.withLock { state in
            state.count += 1
            state.commands.append((state.count, command))
            return state.count
        }
    }

    /// The data provider is done with it.
    func settle(_ number: Int) { state.withLock { $0.commands.removeAll { $0.number == number } } }

    /// Everything that is left, once for each notification, in the order in which the phone shows them.
    ///
    /// - Parameter posted: What the accessory is to show, as the phone has it now; what is not in it is removed.
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
                // Posted once more it is the newest.
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
    /// The notification that it is about; nil if it is about all.
    fileprivate var identifier: PhoneNotification.Identifier? {
        switch self {
        case .add(let notification, _), .update(let notification): notification.identifier
        case .remove(let identifier): identifier
        case .removeAll: nil
        }
    }
}

/// The time in which a data provider may send something for what it was told: until nobody is left who could, which is when
/// its handler has returned and the tasks that it began have ended.
final class Telling: Sendable {
    /// Of what the present task does.
    @TaskLocal static var current: Telling?

    private let sends = Mutex((begun: 0, arrived: 0))
    private let ended: @Sendable (_ hasArrived: Bool) -> Void

    /// - Parameter ended: Called at its end, with whether messages were sent for it and all of them are there.
    init(ended: @escaping @Sendable (_ hasArrived: Bool) -> Void) { self.ended = ended }

    deinit { ended(sends.withLock { $0.begun > 0 && $0.begun == $0.arrived }) }

    /// A message for it is on its way.
    func sendBegan() { sends.withLock { $0.begun += 1 } }

    /// The accessory has a message for it.
    func sendArrived() { sends.withLock { $0.arrived += 1 } }
}
