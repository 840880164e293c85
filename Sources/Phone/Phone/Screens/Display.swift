import Synchronization

/// The phone's display: the app, and the screens over it. The person acts on the topmost one.
package final class Display: Sendable {
    /// Identifies a presented screen until it is dismissed.
    package struct Token: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct Layer {
        let token: Token
        var screen: Screen
        let onAction: @Sendable (PersonAction) -> Void
        /// Whether the person has acted on it. They act again only when the screen becomes one of another kind.
        var isAnswered = false
    }

    private struct State {
        var layers: [Layer] = []
        var lastNumber = 0
        var lastTop: Screen?
        var onSettle: (@Sendable (Screen?) -> Void)?
    }

    /// Held during a change of the screens, until it is recorded and the person has decided. So changes are recorded in
    /// the order in which they happen.
    private let changing = Mutex(())
    /// Never held during a call of other code, because any code may read ``screens``.
    private let state = Mutex(State())
    private let person: Person
    private let record: @Sendable (PhoneEvent.Kind) -> Void

    init(person: Person, record: @escaping @Sendable (PhoneEvent.Kind) -> Void) {
        self.person = person
        self.record = record
    }

    /// The screens over the app, topmost last.
    package var screens: [Screen] { state.withLock { $0.layers.map(\.screen) } }

    /// Shows a screen over the others.
    ///
    /// - Parameter onAction: Called once for each ``Screen/Kind`` that this presentation shows, with the person's
    ///   action. An accessory is given as ``AccessoryChoice/entry(_:)``. Must return at once.
    package func present(_ screen: Screen, onAction: @escaping @Sendable (PersonAction) -> Void) -> Token {
        change { state in
            state.lastNumber += 1
            let token = Token(number: state.lastNumber)
            state.layers.append(Layer(token: token, screen: screen, onAction: onAction))
            return token
        }
    }

    /// Replaces a presented screen by another one. Does nothing if it was dismissed.
    package func update(_ token: Token, to screen: Screen) { update(token, to: screen, asksAgain: false) }

    /// The same for a screen on which the person may act several times.
    ///
    /// - Parameter asksAgain: Whether the person may act on it again, even if its kind is the same.
    func update(_ token: Token, to screen: Screen, asksAgain: Bool) {
        change { state in
            guard let index = state.layers.firstIndex(where: { $0.token == token }) else { return }
            if asksAgain || state.layers[index].screen.kind != screen.kind { state.layers[index].isAnswered = false }
            state.layers[index].screen = screen
        }
    }

    /// Removes a presented screen. Does nothing if it was dismissed before.
    package func dismiss(_ token: Token) {
        change { state in state.layers.removeAll { $0.token == token } }
    }

    /// Shows a screen that only says something, until the person closes it. Returns at once.
    func show(_ screen: Screen) {
        let (answers, continuation) = AsyncStream<PersonAction>.makeStream()
        let token = present(screen) { continuation.yield($0) }
        Task { [weak self] in
            for await _ in answers { break }
            self?.dismiss(token)
        }
    }

    /// Shows a prompt, and returns the person's answer.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first. The prompt is removed in any case.
    package func ask(_ screen: Screen) async throws -> PersonAction { try await ask(screen) { $0 } }

    /// Shows a prompt, and removes it when `body` has finished with the person's answer.
    ///
    /// - Throws: The error of `body`; `CancellationError` if the task is cancelled before there is an answer.
    func ask<Value>(_ screen: Screen, _ body: (PersonAction) async throws -> Value) async throws -> Value {
        let (answers, continuation) = AsyncStream<PersonAction>.makeStream()
        let token = present(screen) { continuation.yield($0) }
        defer { dismiss(token) }
        for await answer in answers { return try await body(answer) }
        throw CancellationError()
    }

    /// Performs an action on the topmost screen, at once, for a person who acts by hand.
    ///
    /// - Parameter kind: The kind of screen that the action is meant for: the screen may have changed meanwhile.
    /// - Returns: Whether it was possible.
    package func act(_ action: PersonAction, on kind: Screen.Kind) -> Bool {
        let chosen: (@Sendable () -> Void)? = changing.withLock { _ in
            let layer: Layer? = state.withLock { state in
                guard let top = state.layers.last, top.screen.kind == kind, !top.isAnswered, top.screen.allows(action)
                else { return nil }
                state.layers[state.layers.count - 1].isAnswered = true
                return top
            }
            guard let layer else { return nil }
            person.did(layer.screen.named(action), on: layer.screen.title)
            let resolved = layer.screen.resolved(action)
            return { layer.onAction(resolved) }
        }
        chosen?()
        return chosen != nil
    }

    /// Whether the topmost screen waits for the person. One that shows progress, or an empty list, does not.
    package var awaitsPerson: Bool {
        guard let top = state.withLock({ $0.layers.last }), !top.isAnswered else { return false }
        return top.screen.willing != nil || top.screen.kind == .passkeyEntry || top.screen.kind.isPageOfSettings
    }

    /// Whether a presented screen is still shown and the person has not acted on it.
    func isWaiting(_ token: Token) -> Bool {
        state.withLock { state in state.layers.contains { $0.token == token && !$0.isAnswered } }
    }

    /// Calls `body` with the topmost screen each time the person has looked at it, even if it has not changed; nil
    /// means the app.
    func onSettle(_ body: @escaping @Sendable (Screen?) -> Void) { state.withLock { $0.onSettle = body } }

    /// Lets the person look at the topmost screen again, and act on it.
    func refresh() { change { _ in } }

    /// Changes the screens, records a changed topmost screen, and lets the person act on it.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, top, action) = changing.withLock { _ in
            let (value, top, isNew) = state.withLock { state in
                let value = body(&state)
                let top = state.layers.last
                defer { state.lastTop = top?.screen }
                return (value, top, top?.screen.drawn != state.lastTop?.drawn)
            }
            if isNew {
                record(.screen(top?.screen))
                person.sees(top?.screen)
            }
            return (value, top?.screen, top.flatMap { act(on: $0) })
        }
        action?()
        state.withLock { $0.onSettle }?(top)
        return value
    }

    /// The person's action on the topmost screen, ready to be carried out; nil to wait.
    private func act(on layer: Layer) -> (@Sendable () -> Void)? {
        guard !layer.isAnswered, let action = person.decide(on: layer.screen) else { return nil }
        state.withLock { state in
            for index in state.layers.indices where state.layers[index].token == layer.token {
                state.layers[index].isAnswered = true
            }
        }
        let resolved = layer.screen.resolved(action)
        return { layer.onAction(resolved) }
    }
}
