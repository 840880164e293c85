import Foundation
import RadioModel
import Synchronization

/// An app's session with accessory setup; behind `ASAccessorySession`.
public final class SetupSession: Sendable {
    public typealias Completion = @Sendable (SetupError?) -> Void

    /// How long a picker looks for accessories.
    public enum Timeout: Sendable, Hashable {
        /// As long as the phone's policy says.
        case standard
        case limited(Duration)
        /// Until the app or the person ends it.
        case unbounded
    }

    private enum Phase {
        case new
        case active(@Sendable (SetupEvent) -> Void)
        /// Only the `invalidated` event is still told.
        case invalidating(@Sendable (SetupEvent) -> Void)
        case invalidated
    }

    /// The app that it belongs to.
    public let app: RunningApp
    let phone: Phone
    private let phase = Mutex(Phase.new)

    init(app: RunningApp, on phone: Phone) {
        self.app = app
        self.phone = phone
    }

    /// Starts telling events; `activated` is the first (E1).
    ///
    /// Activated twice, the second handler is told activationFailed and nothing else; the first stays (K16).
    public func activate(_ handler: @escaping @Sendable (SetupEvent) -> Void) {
        note("activated a session")
        let isFirst = phase.withLock { phase in
            guard case .new = phase else { return false }
            phase = .active(handler)
            return true
        }
        if isFirst { return tell(SetupEvent(.activated)) }
        handler(SetupEvent(.activated, error: SetupError(.activationFailed, "the session was activated before")))
    }

    /// What the app has been given, oldest first; empty before activation (A1).
    public var accessories: [AccessoryRecord] {
        if case .active = phase.withLock({ $0 }) { phone.store.accessories(of: app.bundle.identifier) } else { [] }
    }

    /// Stops everything and lets go of the handler (K8).
    public func invalidate() {
        let isFirst = phase.withLock { phase in
            switch phase {
            case .new:
                phase = .invalidated
                return false
            case .active(let handler):
                phase = .invalidating(handler)
                return true
            case .invalidating, .invalidated: return false
            }
        }
        guard isFirst else { return }
        note("invalidated its session")
        if let picker = setup.picker(of: self) {
            picker.take(.invalidated)
        } else {
            tell(SetupEvent(.invalidated))
        }
    }

    /// Shows the picker.
    ///
    /// Crashes the app where iOS does (P1 to P6, D2, D3).
    ///
    /// - Parameters:
    ///   - timeout: How long to look.
    ///   - completion: Called once, with nil when an accessory was set up.
    public func showPicker(
        for items: [PickerItem], timeout: Timeout = .standard, completion: @escaping Completion
    ) {
        note("showed a picker for \(items.map(\.name))")
        if let error = refusal() { return completion(error) }
        if let violation = SetupRules.violation(in: items, declared: app.propertyList) {
            AppCrash.crash(violation.rule, violation.reason)
        }
        for warning in SetupRules.warnings(in: items, declared: app.propertyList) {
            phone.record(.warning(rule: warning.rule, warning.reason))
        }
        if let error = restriction(on: items) { return completion(error) }
        let run = PickerRun(setting(for: items, timeout), of: self, on: phone, completion: completion)
        guard setup.open(run) else { return completion(SetupError(.pickerAlreadyActive, "a picker is up already")) }
        run.start()
    }

    private func setting(for items: [PickerItem], _ timeout: Timeout) -> PickerMachine.Setting {
        let policy = phone.policy
        let limit: Duration? =
            switch timeout {
            case .standard: policy.discoveryTimeout
            case .limited(let limit): limit
            case .unbounded: nil
            }
        let known = phone.store.accessories(of: app.bundle.identifier)
        return PickerMachine.Setting(
            items: items, timeout: limit, policy: policy,
            knownDevices: Set(known.compactMap(\.bluetoothIdentifier)), knownNetworks: Set(known.compactMap(\.ssid)),
            identifier: phone.identifiers.identifier)
    }

    /// Shows the picker of the app's device discovery extension; there is none here, so it is not found (K9).
    public func showPicker(completion: @escaping Completion) {
        note("showed the picker of its extension")
        completion(refusal() ?? SetupError(.extensionNotFound, "the app has no device discovery extension"))
    }

    /// Ends a discovery that has no timeout; no effect once something was found (F3).
    public func finishPickerDiscovery(completion: @escaping Completion) {
        answer("finished the picker's discovery", completion) { picker in
            picker.take(.discoveryFinished)
            return nil
        }
    }

    /// The app says that an accessory is ready (A2).
    public func finishAuthorization(
        for accessory: UUID, settings: AuthorizationSettings, completion: @escaping Completion
    ) {
        if let identifier = settings.bridgingIdentifier, identifier.count != 6 {
            return completion(SetupError(.invalidRequest, "a bridging identifier has 6 bytes, not \(identifier.count)"))
        }
        conclude(accessory, "finished an authorization", .finished(accessory, settings), completion)
    }

    /// The app says that an accessory cannot be set up (A3).
    public func failAuthorization(for accessory: UUID, completion: @escaping Completion) {
        conclude(accessory, "failed an authorization", .failed(accessory), completion)
    }

    func tell(_ event: SetupEvent) {
        let handler: (@Sendable (SetupEvent) -> Void)? = phase.withLock { phase in
            switch phase {
            case .active(let handler): return handler
            case .invalidating(let handler) where event.kind == .invalidated:
                phase = .invalidated
                return handler
            case .new, .invalidating, .invalidated: return nil
            }
        }
        guard let handler else { return }
        phone.record(.told(app.bundle.identifier, "\(event)"))
        handler(event)
    }

    var setup: AccessorySetup { phone.part(AccessorySetup.self) }

    /// Why nothing at all can be asked of this session; nil if it can.
    func refusal() -> SetupError? {
        switch phase.withLock({ $0 }) {
        case .active: nil
        case .new: SetupError(.activationFailed, "the session is not activated: call activate(on:eventHandler:) first")
        case .invalidating, .invalidated:
            SetupError(.invalidated, "the session was invalidated: make a new one")
        }
    }

    func note(_ what: String) { phone.record(.app(app.bundle.identifier, what)) }

    private func restriction(on items: [PickerItem]) -> SetupError? {
        if items.isEmpty { return SetupError(.invalidRequest, "there is no item to show") }
        let policy = phone.policy
        if let why = items.lazy.compactMap({ SetupRules.uselessness(of: $0, policy: policy) }).first {
            return SetupError(.invalidRequest, why)
        }
        if !phone.canAddAccessories { return SetupError(.userRestricted, "the person may not add accessories") }
        if !app.isInForeground { return SetupError(.pickerRestricted, "the app is in the background") }
        return nil
    }

    private func conclude(
        _ accessory: UUID, _ what: String, _ input: PickerMachine.Input, _ completion: @escaping Completion
    ) {
        answer(what, completion) { picker in
            let record = self.accessories.first { $0.id == accessory }
            guard record?.state == .awaitingAuthorization else {
                return SetupError(.invalidRequest, "the accessory does not wait for authorization")
            }
            picker.take(input)
            return nil
        }
    }

    /// Does something with the picker that must be up.
    private func answer(_ what: String, _ completion: Completion, _ body: (PickerRun) -> SetupError?) {
        note(what)
        if let error = refusal() { return completion(error) }
        guard let picker = setup.picker(of: self) else {
            return completion(SetupError(.invalidRequest, "no picker of this session is up"))
        }
        completion(body(picker))
    }
}
