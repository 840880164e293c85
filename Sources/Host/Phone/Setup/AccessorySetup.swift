import BoardProtocol
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

    public func receive(_ event: RadioEvent) {
        guard case .advertisement(let advertisement) = event else { return }
        state.withLock { $0.picker }?.take(.heard(advertisement))
    }

    public func ended(_ app: RunningApp) {
        for session in sessions(of: app.bundle.identifier, running: false) where session.app === app {
            session.invalidate()
        }
    }

    /// The live sessions of an app.
    func sessions(of app: String, running: Bool = true) -> [SetupSession] {
        state.withLock { $0.sessions.compactMap(\.session) }
            .filter { $0.app.bundle.identifier == app && (!running || $0.app.isRunning) }
    }

    /// Takes the place of the phone's one picker; false if it is taken (K3).
    func open(_ picker: PickerRun) -> Bool {
        state.withLock { state in
            guard state.picker == nil else { return false }
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
}
