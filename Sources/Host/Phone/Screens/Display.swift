import Synchronization

/// The phone's screen: the app, and what lies over it. The person acts on the topmost.
public final class Display: Sendable {
    /// Names one presented screen until it is dismissed.
    public struct Token: Sendable, Hashable {
        fileprivate let number: Int
    }

    private struct Layer {
        let token: Token
        var screen: Screen
        let onAction: @Sendable (PersonAction) -> Void
        /// The person acted; nothing more until the screen is of another kind.
        var isAnswered = false
    }

    private struct State {
        var layers: [Layer] = []
        var lastNumber = 0
        var lastTop: Screen?
        var onSettle: (@Sendable (Screen?) -> Void)?
    }

    /// Held while the screens change, until that is recorded and the person has looked: two changes are recorded in the order
    /// in which they happened.
    private let changing = Mutex(())
    /// Only read and written, nothing is called with it: `screens` may be asked for from anywhere.
    private let state = Mutex(State())
    private let person: Person
    private let record: @Sendable (PhoneEvent.Kind) -> Void

    init(person: Person, record: @escaping @Sendable (PhoneEvent.Kind) -> Void) {
        self.person = person
        self.record = record
    }

    /// Everything that is over the app, topmost last.
    public var screens: [Screen] { state.withLock { $0.layers.map(\.screen) } }

    /// Shows a screen over what is there.
    ///
    /// - Parameter onAction: Called once for each ``Screen/Kind`` that this presentation shows, with what the person did;
    ///   with an accessory by its entry on the screen; must return at once.
    public func present(_ screen: Screen, onAction: @escaping @Sendable (PersonAction) -> Void) -> Token {
        change { state in
            state.lastNumber += 1
            let token = Token(number: state.lastNumber)
            state.layers.append(Layer(token: token, screen: screen, onAction: onAction))
            return token
        }
    }

    /// Shows something else in place of a presented screen; nothing if it was dismissed.
    public func update(_ token: Token, to screen: Screen) {
        change { state in
            guard let index = state.layers.firstIndex(where: { $0.token == token }) else { return }
            if state.layers[index].screen.kind != screen.kind { state.layers[index].isAnswered = false }
            state.layers[index].screen = screen
        }
    }

    /// Takes a screen away; nothing if it is gone already.
    public func dismiss(_ token: Token) {
        change { state in state.layers.removeAll { $0.token == token } }
    }

    /// Shows a prompt and gives the person's answer.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first; the prompt is taken away then.
    public func ask(_ screen: Screen) async throws -> PersonAction { try await ask(screen) { $0 } }

    /// Shows a prompt, and takes it away when `body` is through with the person's answer.
    ///
    /// - Throws: What `body` throws; `CancellationError` if the task is cancelled before there is an answer.
    func ask<Value>(_ screen: Screen, _ body: (PersonAction) async throws -> Value) async throws -> Value {
        let (answers, continuation) = AsyncStream<PersonAction>.makeStream()
        let token = present(screen) { continuation.yield($0) }
        defer { dismiss(token) }
        for await answer in answers { return try await body(answer) }
        throw CancellationError()
    }

    /// Whether a presented screen is still there and the person has not acted on it.
    func isWaiting(_ token: Token) -> Bool {
        state.withLock { state in state.layers.contains { $0.token == token && !$0.isAnswered } }
    }

    /// Called with the topmost screen whenever the person has looked at it, more often than it changes; nil is the app itself.
    func onSettle(_ body: @escaping @Sendable (Screen?) -> Void) { state.withLock { $0.onSettle = body } }

    /// Lets the person look at the screen again.
    func settle() { change { _ in } }

    /// Changes the screens, records what is to be seen now, and lets the person act on the topmost screen.
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, top, action) = changing.withLock { _ in
            let (value, top, isNew) = state.withLock { state in
                let value = body(&state)
                let top = state.layers.last
                defer { state.lastTop = top?.screen }
                return (value, top, top?.screen.drawn != state.lastTop?.drawn)
            }
            if isNew { record(.screen(top?.screen)) }
            return (value, top?.screen, top.flatMap { act(on: $0) })
        }
        action?()
        state.withLock { $0.onSettle }?(top)
        return value
    }

    /// What the person does on the topmost screen, if anything.
    private func act(on layer: Layer) -> (@Sendable () -> Void)? {
        guard !layer.isAnswered, let action = person.decide(on: layer.screen) else { return nil }
        state.withLock { state in
            for index in state.layers.indices where state.layers[index].token == layer.token {
                state.layers[index].isAnswered = true
            }
        }
        let settled = layer.screen.settled(action)
        return { layer.onAction(settled) }
    }
}
