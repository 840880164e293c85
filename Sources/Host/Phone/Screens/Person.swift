import Synchronization

/// Who holds the phone: does what the scenario says, and otherwise what a willing person would.
public final class Person: Sendable {
    /// An action that never became possible.
    public struct UnfinishedAction: Sendable, Hashable, CustomStringConvertible {
        public var action: PersonAction
        /// The screen at which it is to be done; nil for the first at which it is possible.
        public var moment: Screen.Kind?
        /// What was on the screen since the person meant to do it, oldest first, each once.
        public var seen: [String]

        public var description: String {
            if let mistake = action.accessory?.mistake {
                return "the person was to \(action), which makes no sense: \(mistake)"
            }
            let screens = seen.isEmpty ? "nothing but the app" : seen.joined(separator: "; ")
            let when = moment.map { " at the screen “\($0.rawValue)”" } ?? ""
            return "the person was to \(action)\(when), which never became possible; on the screen: \(screens)"
        }

        /// Notes a screen on which it was not possible.
        mutating func note(_ screen: Screen) {
            // Names say nothing to who looks for an address or a signal.
            let isNamed = if case .named? = action.accessory { true } else { action.accessory == nil }
            let text = isNamed ? screen.description : screen.detailedDescription
            if seen.last != text { seen.append(text) }
        }
    }

    private struct State {
        var intentions: [UnfinishedAction] = []
        var isWilling = true
        var hasTapped = false
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
        intend(actions.map { UnfinishedAction(action: $0, seen: []) })
    }

    /// Tells the person to do this when a screen of that kind is shown, and not before: `will(.switchBluetoothOff, at: .passkey)`.
    public func will(_ action: PersonAction, at moment: Screen.Kind) {
        intend([UnfinishedAction(action: action, moment: moment, seen: [])])
    }

    private func intend(_ intentions: [UnfinishedAction]) {
        let changed = state.withLock { state in
            state.intentions += intentions
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

    // MARK: In the app

    /// The person taps something in the app, which makes a picker that follows one that was asked for (K15).
    ///
    /// What a scenario does with an app after its launch counts as the person's act anyhow. Say this only where the app shows
    /// its picker later, when a framework has called it.
    ///
    /// - Parameter what: What is tapped, for the story: `Add Die`.
    public func taps(_ what: String) {
        state.withLock { $0.hasTapped = true }
        record(.note("person", "tapped “\(what)” in the app"))
    }

    /// The same, with what the app does about it.
    public func taps<Value>(
        _ what: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        taps(what)
        return try await body()
    }

    /// Whether the person has tapped since a picker was last shown.
    func takeTap() -> Bool {
        state.withLock { state in
            defer { state.hasTapped = false }
            return state.hasTapped
        }
    }

    // MARK: In Settings

    /// What the person means to do next in Settings; nil also while its moment has not come.
    var nextInSettings: PersonAction? {
        state.withLock { state in
            state.intentions.first { $0.action.isInSettings }.flatMap { $0.moment == nil ? $0.action : nil }
        }
    }

    /// The person saw this page of Settings, and could not do there what was meant.
    func looked(at page: Screen) {
        state.withLock { state in
            for index in state.intentions.indices where state.intentions[index].action.isInSettings {
                state.intentions[index].note(page)
            }
        }
    }

    /// What the person does on this screen now; nil to wait for it to change.
    func decide(on screen: Screen) -> PersonAction? {
        let action: PersonAction? = state.withLock { state in
            for index in state.intentions.indices { state.intentions[index].note(screen) }
            // What is done in Settings at this moment: the person leaves this screen as it is.
            if let index = state.intentions.firstIndex(where: { $0.action.isInSettings }),
                state.intentions[index].moment == screen.kind
            {
                state.intentions[index].moment = nil
                return nil
            }
            let possible = state.intentions.firstIndex { intention in
                screen.controls.contains(intention.action.control)
                    && (intention.moment == nil || intention.moment == screen.kind)
            }
            guard let index = possible else { return state.isWilling ? screen.willing : nil }
            guard screen.allows(state.intentions[index].action) else { return nil }
            return state.intentions.remove(at: index).action
        }
        if let action { record(.person(action, on: screen.title)) }
        return action
    }

    func onNewIntention(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onNewIntention = body } }
}
