import Synchronization

/// The simulated person who uses the phone.
///
/// The person does what the scenario says. Without instructions, a willing person agrees to everything.
public final class Person: Sendable {
    /// An action that the scenario told the person to do and that has not been possible so far.
    package struct UnfinishedAction: Sendable, Hashable, CustomStringConvertible {
        package var action: PersonAction
        /// The kind of screen on which to do it; nil for the first screen on which it is possible.
        package var moment: Screen.Kind?
        /// The screens since the person was told, oldest first, without repetitions.
        package var seen: [String]

        package var description: String {
            if let mistake = action.accessory?.mistake {
                return "the person was to \(action), which makes no sense: \(mistake)"
            }
            let screens = seen.isEmpty ? "nothing but the app" : seen.joined(separator: "; ")
            let when = moment.map { " at the screen “\($0.rawValue)”" } ?? ""
            return "the person was to \(action)\(when), which never became possible; on the screen: \(screens)"
        }

        /// Adds a screen to ``seen``.
        mutating func note(_ screen: Screen) {
            // For a choice by address or signal, the text must show these.
            let isNamed = if case .named? = action.accessory { true } else { action.accessory == nil }
            let text = isNamed ? screen.description : screen.detailedDescription
            if seen.last != text { seen.append(text) }
        }
    }

    /// What somebody else lets the person do on a screen.
    package enum Look: Sendable {
        /// What they would do anyway.
        case own
        /// Nothing, until ``lookAgain()``.
        case waits
        case does(PersonAction)
    }

    private struct State {
        var intentions: [UnfinishedAction] = []
        var isWilling = true
        var hasTapped = false
        var isByHand = false
        var onNewIntention: (@Sendable () -> Void)?
        var onLook: (@Sendable (Screen) -> Look)?
        var onSee: (@Sendable (Screen?) -> Void)?
    }

    private let state = Mutex(State())
    private let record: @Sendable (PhoneEvent.Kind) -> Void

    init(record: @escaping @Sendable (PhoneEvent.Kind) -> Void) { self.record = record }

    /// Tells the person to do these actions, each as soon as it is possible.
    ///
    /// Call this before the screen appears, or a willing person has already acted. Actions for the same kind of screen
    /// are done in the order of the calls.
    public func will(_ actions: PersonAction...) {
        intend(actions.map { UnfinishedAction(action: $0, seen: []) })
    }

    /// Tells the person to do an action when a screen of this kind appears: `will(.switchBluetoothOff, at: .passkey)`.
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

    /// Whether the person agrees to everything without being told. The default is true; if false, the person only
    /// waits.
    public var isWilling: Bool {
        get { state.withLock { $0.isWilling } }
        set { state.withLock { $0.isWilling = newValue } }
    }

    /// The actions that the person was told to do and could not do yet. If any remain at its end, the scenario fails.
    package var unfinished: [UnfinishedAction] { state.withLock { $0.isByHand ? [] : $0.intentions } }

    // MARK: By hand

    /// Whether somebody else acts in the person's place, through ``Display/act(_:on:)``. The default is false.
    ///
    /// The person then does nothing by themselves, willing or not. The scenario's instructions are in ``suggestions``.
    package var isByHand: Bool {
        get { state.withLock { $0.isByHand } }
        set { state.withLock { $0.isByHand = newValue } }
    }

    /// The scenario's instructions that a person by hand has not followed so far, oldest first.
    package var suggestions: [UnfinishedAction] { state.withLock { $0.isByHand ? $0.intentions : [] } }

    /// Records an action by hand. The oldest suggestion that needs the same control counts as done.
    func did(_ action: PersonAction, on title: String) {
        state.withLock { state in
            if let index = state.intentions.firstIndex(where: { $0.action.control == action.control }) {
                state.intentions.remove(at: index)
            }
        }
        record(.person(action, on: title))
    }

    // MARK: For experiments

    /// Asks `body` each time before the person decides on a screen; nil asks nobody. It must not wait.
    package func onLook(_ body: (@Sendable (Screen) -> Look)?) { state.withLock { $0.onLook = body } }

    /// Calls `body` with each new topmost screen, before the person decides on it; nil is the app. It must not wait.
    package func onSee(_ body: (@Sendable (Screen?) -> Void)?) { state.withLock { $0.onSee = body } }

    func sees(_ screen: Screen?) { state.withLock { $0.onSee }?(screen) }

    /// Lets the person look at the topmost screen again.
    package func lookAgain() { state.withLock { $0.onNewIntention }?() }

    /// Forgets what the person was told to do and could not do yet.
    package func forget() { state.withLock { $0.intentions = [] } }

    // MARK: In the app

    /// Records that the person taps something in the app. A picker that the app then shows counts as requested (K15).
    ///
    /// A scenario's calls of the app after its launch always count as the person's. Call this only if the app shows its
    /// picker later, from a framework's callback.
    ///
    /// - Parameter what: What the person taps, for the log, such as `Add Lamp`.
    package func taps(_ what: String) {
        state.withLock { $0.hasTapped = true }
        record(.note("person", "tapped “\(what)” in the app"))
    }

    /// Records that the person taps something in the app, then runs the app's reaction to it (K15).
    package func taps<Value>(
        _ what: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async rethrows -> Value {
        taps(what)
        return try await body()
    }

    /// Whether the person has tapped since the last picker. Resets it.
    func takeTap() -> Bool {
        state.withLock { state in
            defer { state.hasTapped = false }
            return state.hasTapped
        }
    }

    // MARK: In Settings

    /// The person's next action in Settings; nil if there is none, or if its screen has not appeared yet.
    var nextInSettings: PersonAction? {
        state.withLock { state in
            if state.isByHand { return nil }
            return state.intentions.first { $0.action.isInSettings }.flatMap { $0.moment == nil ? $0.action : nil }
        }
    }

    /// Notes a page of Settings on which the person's next action is not possible.
    func notePage(_ page: Screen) {
        state.withLock { state in
            for index in state.intentions.indices where state.intentions[index].action.isInSettings {
                state.intentions[index].note(page)
            }
        }
    }

    /// The person's action on this screen; nil to wait for a change.
    func decide(on screen: Screen) -> PersonAction? {
        switch state.withLock({ $0.onLook })?(screen) {
        case .own?, nil: break
        case .waits?: return nil
        case .does(let action)?:
            record(.person(action, on: screen.title))
            return action
        }
        let action: PersonAction? = state.withLock { state in
            if state.isByHand { return nil }
            for index in state.intentions.indices { state.intentions[index].note(screen) }
            // This screen is the moment for an action in Settings, so the person leaves the screen as it is.
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
