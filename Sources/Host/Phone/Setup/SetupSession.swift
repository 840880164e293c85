import Foundation
import RadioModel
import Synchronization

/// An app's session with accessory setup; behind `ASAccessorySession`.
public final class SetupSession: Sendable {
    public typealias Completion = @Sendable (SetupError?) -> Void

    private enum Phase {
        case new
        case active(@Sendable (SetupEvent) -> Void)
        /// Only the `invalidated` event is still told.
        case invalidating(@Sendable (SetupEvent) -> Void)
        /// The app has ended: nothing is told, and the handler is kept only to see what it holds (E3).
        case orphaned(@Sendable (SetupEvent) -> Void)
        case invalidated
    }

    private struct State {
        var phase = Phase.new
        /// What the app holds; it goes when nobody but this session's handler wants it.
        weak var owner: (any AnyObject & Sendable)?
        /// What is asked of the person outside a picker.
        var questions: [UUID: Task<Void, Never>] = [:]
    }

    /// The app that it belongs to.
    public let app: RunningApp
    let phone: Phone
    /// The accessory of the extension that made it, ``AccessoryRecord/id``; nil in the app itself.
    public let host: UUID?
    /// The one accessory that it is about, in an extension that was launched for it.
    private let only: UUID?
    private let state = Mutex(State())

    init(app: RunningApp, on phone: Phone) {
        host = Phone.hostedAccessory
        only = phone.policy.extensionsSeeOneAccessory ? host : nil
        self.app = app
        self.phone = phone
    }

    /// The object that the app knows this session by.
    public func belongs(to owner: any AnyObject & Sendable) { state.withLock { $0.owner = owner } }

    /// Starts telling events; `activated` is the first (E1).
    ///
    /// Activated twice, the second handler is told activationFailed and nothing else; the first stays (K16).
    public func activate(_ handler: @escaping @Sendable (SetupEvent) -> Void) {
        note("activated a session")
        let isFirst = state.withLock { state in
            guard case .new = state.phase else { return false }
            state.phase = .active(handler)
            return true
        }
        if isFirst { return tell(SetupEvent(.activated)) }
        phone.warn(of: .activatedTwice)
        handler(SetupEvent(.activated, error: SetupError(.activationFailed, "the session was activated before")))
    }

    /// What the app has been given, oldest first; empty before activation (A1).
    public var accessories: [AccessoryRecord] {
        guard case .active = state.withLock({ $0.phase }) else { return [] }
        return phone.store.accessories(of: app.bundle.identifier).filter { only == nil || $0.id == only }
    }

    /// Stops everything and lets go of the handler (K8).
    public func invalidate() {
        let questions: [Task<Void, Never>]? = state.withLock { state in
            switch state.phase {
            case .new:
                state.phase = .invalidated
                return nil
            case .active(let handler):
                state.phase = .invalidating(handler)
                defer { state.questions = [:] }
                return Array(state.questions.values)
            case .invalidating, .orphaned, .invalidated: return nil
            }
        }
        guard let questions else { return }
        note("invalidated its session")
        for question in questions { question.cancel() }
        if let picker = setup.picker(of: self) {
            picker.take(.invalidated)
        } else {
            tell(SetupEvent(.invalidated))
        }
    }

    /// The app has ended: nothing is told any more, and what is on the screen goes.
    func orphan() {
        let questions = state.withLock { state in
            switch state.phase {
            case .active(let handler): state.phase = .orphaned(handler)
            default: state.phase = .invalidated
            }
            defer { state.questions = [:] }
            return Array(state.questions.values)
        }
        for question in questions { question.cancel() }
        setup.picker(of: self)?.take(.invalidated)
    }

    /// Lets go of an ended app's handler.
    ///
    /// - Returns: Whether that handler was all that still held the app's session: a retain cycle (E3).
    func handlerWasLastHolder() -> Bool {
        guard state.withLock({ $0.owner != nil }) else { return false }
        // Out of the lock: what the handler holds ends this session in turn.
        var last: Phase? = state.withLock { state in
            guard case .orphaned = state.phase else { return nil }
            defer { state.phase = .invalidated }
            return state.phase
        }
        guard last != nil else { return false }
        last = nil
        return state.withLock { $0.owner == nil }
    }

    func tell(_ event: SetupEvent) {
        if let only, let accessory = event.accessory, accessory.id != only { return }
        let handler: (@Sendable (SetupEvent) -> Void)? = state.withLock { state in
            switch state.phase {
            case .active(let handler): return handler
            case .invalidating(let handler) where event.kind == .invalidated:
                state.phase = .invalidated
                return handler
            case .new, .invalidating, .orphaned, .invalidated: return nil
            }
        }
        guard let handler else { return }
        phone.record(.told(app.bundle.identifier, "\(event)"))
        handler(event)
    }

    var setup: AccessorySetup { phone.part(AccessorySetup.self) }

    /// Why nothing at all can be asked of this session; nil if it can.
    func refusal() -> SetupError? {
        switch state.withLock({ $0.phase }) {
        case .active: return nil
        case .new:
            phone.warn(of: .usedBeforeActivation)
            let reason = "the session is not activated: call activate(on:eventHandler:) first"
            return SetupError(.activationFailed, reason)
        case .invalidating, .invalidated:
            phone.warn(of: .usedAfterInvalidation)
            return SetupError(.invalidated, "the session was invalidated: make a new one")
        case .orphaned: return SetupError(.invalidated, "the app has ended")
        }
    }

    func note(_ what: String) { phone.record(.app(app.bundle.identifier, what)) }

    /// Asks the person something about an accessory of the app; invalidation takes the question away (K8).
    func ask(
        about accessory: UUID, _ completion: @escaping Completion,
        _ body: @escaping @Sendable (SetupSession, AccessoryRecord) async throws -> Void
    ) {
        if let error = refusal() { return completion(error) }
        guard let record = accessories.first(where: { $0.id == accessory }) else {
            return completion(SetupError(.invalidRequest, "the accessory is not one of this app"))
        }
        let id = UUID()
        state.withLock { state in
            state.questions[id] = Task {
                let outcome = await self.outcome { try await body(self, record) }
                self.state.withLock { $0.questions[id] = nil }
                completion(outcome)
            }
        }
    }

    private func outcome(_ body: () async throws -> Void) async -> SetupError? {
        do {
            try await body()
            return nil
        } catch is CancellationError {
            return SetupError(.invalidated, "the session was invalidated while the person was asked")
        } catch { return error as? SetupError ?? SetupError(.unknown, "\(error)") }
    }
}
