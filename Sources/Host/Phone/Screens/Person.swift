import Synchronization

/// Who holds the phone: does what the scenario says, and otherwise what a willing person would.
public final class Person: Sendable {
    /// An action that never became possible.
    public struct UnfinishedAction: Sendable, Hashable, CustomStringConvertible {
        public var action: PersonAction
        /// What was on the screen since the person meant to do it, oldest first, each once.
        public var seen: [String]

        public var description: String {
            let screens = seen.isEmpty ? "nothing but the app" : seen.joined(separator: "; ")
            return "the person was to \(action), which never became possible; on the screen: \(screens)"
        }
    }

    private struct State {
        var intentions: [UnfinishedAction] = []
        var isWilling = true
        var onNewIntention: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let record: @Sendable (PhoneEvent.Kind) -> Void

    init(record: @escaping @Sendable (PhoneEvent.Kind) -> Void) { self.record = record }

    /// Tells the person to do this as soon as it is possible.
    ///
    /// Say it before the screen comes up, or a willing person has acted already. Actions for one kind of screen are done in
    /// the order in which they were told.
    public func will(_ actions: PersonAction...) {
        let changed = state.withLock { state in
            state.intentions += actions.map { UnfinishedAction(action: $0, seen: []) }
            return state.onNewIntention
        }
        changed?()
    }

    /// Whether the person does what is asked without having been told. True at first; false for one who only waits.
    public var isWilling: Bool {
        get { state.withLock { $0.isWilling } }
        set { state.withLock { $0.isWilling = newValue } }
    }

    /// What the person was told to do and could not. Not empty at the end of a scenario means that it failed.
    public var unfinished: [UnfinishedAction] { state.withLock { $0.intentions } }

    /// What the person does on this screen now; nil to wait for it to change.
    func decide(on screen: Screen) -> PersonAction? {
        let action: PersonAction? = state.withLock { state in
            for index in state.intentions.indices where state.intentions[index].seen.last != screen.description {
                state.intentions[index].seen.append(screen.description)
            }
            guard let index = state.intentions.firstIndex(where: { screen.controls.contains($0.action.control) }) else {
                return state.isWilling ? screen.willing : nil
            }
            guard screen.allows(state.intentions[index].action) else { return nil }
            return state.intentions.remove(at: index).action
        }
        if let action { record(.person(action, on: screen.title)) }
        return action
    }

    func onNewIntention(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onNewIntention = body } }
}
