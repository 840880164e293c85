import BoardProtocol
import Foundation
import RadioModel
import Synchronization

/// Accessory setup on this phone: its sessions, and the one picker that can be up.
public final class AccessorySetup: PhonePart {
    private struct WeakSession {
        weak var session: SetupSession?
    }

    private struct State {
        var sessions: [WeakSession] = []
        var picker: PickerRun?
        /// Whoever else listens to the radio meanwhile.
        var watchers: [UUID: @Sendable (RadioEvent) -> Void] = [:]
        /// The numbers that apps know Wi-Fi Aware devices by.
        var awareDevices: [DeviceAddress: UInt64] = [:]
    }

    unowned let phone: Phone
    private let state = Mutex(State())

    public init(phone: Phone) { self.phone = phone }

    /// A session of the running app. Crashes the app if its Info.plist declares no accessories (P1).
    public func makeSession() -> SetupSession {
        guard let app = phone.app else {
            AppCrash.crash("hil", "ASAccessorySession was made with no app running: launch one on the phone first")
        }
        if let violation = SetupRules.violation(in: app.propertyList) {
            AppCrash.crash(violation.rule, violation.reason)
        }
        let session = SetupSession(app: app, on: phone)
        state.withLock { state in
            state.sessions.removeAll { $0.session == nil }
            state.sessions.append(WeakSession(session: session))
        }
        return session
    }

    // MARK: From the phone

    public func receive(_ event: RadioEvent) {
        let (picker, watchers) = state.withLock { ($0.picker, Array($0.watchers.values)) }
        for watcher in watchers { watcher(event) }
        switch event {
        case .advertisement(let advertisement): picker?.take(.heard(advertisement))
        case .wifiAware(let service): picker?.take(.heardAware(service))
        case .confirmPasskey(let device, _): picker?.take(.pairingBegan(device))
        case .bluetoothPower(let isOn): picker?.take(.bluetoothPower(isOn))
        case .wifiPower(let isOn): picker?.take(.wifiPower(isOn))
        default: break
        }
    }

    public func ended(_ app: RunningApp) {
        for session in sessions(of: app.bundle.identifier, running: false) where session.app === app {
            session.orphan()
        }
    }

    public func released(_ app: RunningApp) {
        // An extension lets go of its sessions on queues of its own, maybe at this very moment; its process ends anyway.
        for session in sessions(of: app.bundle.identifier, running: false)
        where session.app === app && session.host == nil {
            guard session.handlerWasLastHolder() else { continue }
            phone.record(
                .warning(
                    rule: "E3",
                    "the event handler of an ASAccessorySession of \(app.bundle.identifier) keeps the session alive "
                        + "(retain cycle): capture [weak self] in it, or call invalidate()"))
        }
    }

    // MARK: For sessions

    /// The live sessions of an app.
    func sessions(of app: String, running: Bool = true) -> [SetupSession] {
        state.withLock { $0.sessions.compactMap(\.session) }
            .filter { $0.app.bundle.identifier == app && (!running || $0.app.isRunning) }
    }

    /// Takes the place of the phone's one picker; false if it is taken (K3). That of an app that has ended is on its way out.
    func open(_ picker: PickerRun) -> Bool {
        state.withLock { state in
            if let current = state.picker, current.session.app.isRunning { return false }
            state.picker = picker
            return true
        }
    }

    func closed(_ picker: PickerRun) {
        state.withLock { state in if state.picker === picker { state.picker = nil } }
    }

    /// The picker of a session, if it is up.
    func picker(of session: SetupSession) -> PickerRun? {
        state.withLock { $0.picker.flatMap { $0.session === session ? $0 : nil } }
    }

    /// Whether no picker is up.
    var allowsQuestion: Bool { state.withLock { !($0.picker?.session.app.isRunning ?? false) } }

    /// The number by which apps know a Wi-Fi Aware device, made when it is first asked for; never 0.
    func awareDevice(_ address: DeviceAddress) -> UInt64 {
        state.withLock { state in
            if let known = state.awareDevices[address] { return known }
            let device = UInt64.random(in: 1...UInt64.max)
            state.awareDevices[address] = device
            return device
        }
    }

    /// Tells of everything that the radio notices until ``unwatch(_:)``; `body` must return at once.
    func watch(_ body: @escaping @Sendable (RadioEvent) -> Void) -> UUID {
        let id = UUID()
        state.withLock { $0.watchers[id] = body }
        return id
    }

    func unwatch(_ id: UUID) { state.withLock { $0.watchers[id] = nil } }
}
