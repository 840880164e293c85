import Foundation
import RadioModel
import Synchronization

/// An app's session with accessory setup; the phone's side of `ASAccessorySession`.
package final class SetupSession: Sendable {
    /// Called once, on any thread, with nil if the request succeeded.
    package typealias Completion = @Sendable (SetupError?) -> Void

    private enum Phase {
        case new
        case active(@Sendable (SetupEvent) -> Void)
        /// Only the `invalidated` event is still delivered.
        case invalidating(@Sendable (SetupEvent) -> Void)
        /// The app has ended. No events are delivered; the handler is kept only to find a retain cycle (E3).
        case orphaned(@Sendable (SetupEvent) -> Void)
        case invalidated
    }

    private struct State {
        var phase = Phase.new
        /// The app's own session object. If only this session's event handler keeps it alive, there is a retain cycle.
        weak var owner: (any AnyObject & Sendable)?
        /// The open questions to the person outside a picker.
        var questions: [UUID: Task<Void, Never>] = [:]
        /// The watch of the end of its extension.
        var hostEnd: LinkWatch?
    }

    /// The app that the session belongs to.
    package let app: RunningApp
    let phone: Phone
    /// The extension that made the session; nil if the app itself made it.
    package let host: ExtensionRun?
    /// The only accessory that the session shows, in an extension; nil if it shows all of the app.
    private let only: UUID?
    private let state = Mutex(State())

    init(app: RunningApp, on phone: Phone) {
        host = Phone.host
        only = phone.policy.extensionsSeeOneAccessory ? host?.accessory : nil
        self.app = app
        self.phone = phone
        let end = host?.whenEnded { [weak self] in self?.orphan() }
        state.withLock { $0.hostEnd = end }
    }

    /// Sets the session object that the app holds.
    package func setOwner(_ owner: any AnyObject & Sendable) { state.withLock { $0.owner = owner } }

    /// Starts the delivery of events to a handler; `activated` is the first event (E1).
    ///
    /// If the session is activated twice, the second handler only receives `activationFailed`, and the first one stays
    /// (K16).
    package func activate(_ handler: @escaping @Sendable (SetupEvent) -> Void) {
        // Code of a process that has ended.
        if let host, !host.isRunning { return }
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

    /// The app's accessories, oldest first; empty before activation and after invalidation (A1).
    package var accessories: [AccessoryRecord] {
        guard case .active = state.withLock({ $0.phase }) else { return [] }
        return phone.store.accessories(of: app.bundle.identifier).filter { only == nil || $0.id == only }
    }

    /// Ends the session: closes its picker and its questions, and releases the handler (K8).
    package func invalidate() {
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
            picker.submit(.invalidated)
        } else {
            tell(SetupEvent(.invalidated))
        }
    }

    /// Handles the end of the app: delivers no more events, and closes the session's screens.
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
        setup.picker(of: self)?.submit(.invalidated)
    }

    /// Releases the handler of an app that has ended.
    ///
    /// - Returns: Whether only the handler still kept the app's session object alive: a retain cycle (E3).
    func handlerWasLastHolder() -> Bool {
        guard state.withLock({ $0.owner != nil }) else { return false }
        // Released outside the lock, because objects that the handler holds may end this session when they are freed.
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
        if let identifier = event.removed { phone.store.willTellRemoval(of: identifier, to: app.bundle.identifier) }
        handler(event)
    }

    var setup: AccessorySetup { phone.part(AccessorySetup.self) }

    /// Why the session cannot handle any request; nil if it can.
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

    /// Runs `body`, which asks the person about an accessory of the app. Invalidating the session cancels it (K8).
    func ask(
        about accessory: UUID, _ completion: @escaping Completion,
        _ body: @escaping @Sendable (SetupSession, AccessoryRecord) async throws -> Void
    ) {
        if let error = refusal() { return completion(error) }
        guard let record = accessories.first(where: { $0.id == accessory }) else {
            return completion(SetupError(.invalidRequest, "the accessory does not belong to this app"))
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

extension Phone {
    /// Notes that the handler of a session of this app has returned from an event.
    package func handled(_ event: SetupEvent, by app: RunningApp) {
        if let identifier = event.removed { store.didTellRemoval(of: identifier, to: app.bundle.identifier) }
    }
}

extension SetupEvent {
    /// The CoreBluetooth identifier of the accessory that was removed.
    fileprivate var removed: UUID? { kind == .accessoryRemoved ? accessory?.bluetoothIdentifier : nil }
}
