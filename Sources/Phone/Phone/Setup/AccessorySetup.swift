import BoardProtocol
import Foundation
import RadioModel
import Synchronization

/// Accessory setup on this phone: the apps' sessions, and the picker, of which only one can be open.
package final class AccessorySetup: PhoneComponent {
    private struct WeakSession {
        weak var session: SetupSession?
    }

    private struct State {
        var sessions: [WeakSession] = []
        var picker: PickerRun?
        /// The near misses of the last picker that has closed.
        var lastMisses: [NearMiss] = []
        /// Other receivers of the radio's events.
        var watchers: [UUID: @Sendable (RadioEvent) -> Void] = [:]
        /// Deletes the bonds of the apps that were deleted.
        var forgetting: Task<Void, Never>?
        /// The identifiers that apps see for Wi-Fi Aware devices.
        var awareDevices: [DeviceAddress: UInt64] = [:]
    }

    unowned let phone: Phone
    private let state = Mutex(State())

    package init(phone: Phone) { self.phone = phone }

    /// Makes a session for the running app. Crashes the app if its Info.plist declares no technology (P1).
    package func makeSession() -> SetupSession {
        guard let app = phone.app else {
            AppCrash.crash("hil", "an ASAccessorySession was made with no app running: launch the app first")
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

    /// Whether the picker is pairing with this device, which the person has picked.
    func isPairing(_ device: DeviceAddress) -> Bool { state.withLock { $0.picker }?.paired == device }

    // MARK: From the phone

    package func receive(_ event: RadioEvent) {
        let (picker, watchers) = state.withLock { ($0.picker, Array($0.watchers.values)) }
        for watcher in watchers { watcher(event) }
        switch event {
        case .advertisement(let advertisement): picker?.submit(.heard(advertisement))
        case .wifiAware(let service): picker?.submit(.heardAware(service))
        case .askPairing(let device), .confirmPasskey(let device, _), .enterPasskey(let device),
            .showPasskey(let device, _):
            picker?.submit(.pairingBegan(device))
        case .disconnected(let device, let reason): picker?.submit(.linkLost(device, reason: reason))
        case .bluetoothPower(let isOn): picker?.submit(.bluetoothPower(isOn))
        case .wifiPower(let isOn): picker?.submit(.wifiPower(isOn))
        default: break
        }
    }

    package func ended(_ app: RunningApp) {
        for session in sessions(of: app.bundle.identifier, running: false) where session.app === app {
            session.orphan()
        }
    }

    package func released(_ app: RunningApp) {
        // An extension releases its sessions on its own queues, perhaps later; on a real phone its process ends anyway.
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

    package func deleted(_ app: String) {
        guard phone.policy.launches.deletionRemovesAccessories else { return }
        let records = phone.store.accessories(of: app)
        for record in records { phone.store.remove(record.id, from: app) }
        let devices = records.compactMap(\.bluetoothIdentifier).filter { !phone.store.holds(bluetoothIdentifier: $0) }
            .compactMap(phone.identifiers.address)
        guard !devices.isEmpty else { return }
        state.withLock { state in
            state.forgetting = Task { [phone, previous = state.forgetting] in
                await previous?.value
                for device in devices { await AccessorySetup.forget(device, on: phone) }
            }
        }
    }

    /// Returns when the bonds of the apps that were deleted are gone.
    func settle() async { await state.withLock { $0.forgetting }?.value }

    static func forget(_ device: DeviceAddress, on phone: Phone) async {
        do { try await phone.forget(device) } catch {
            phone.note(error, during: "deleting the bond of \(device)", by: "setup")
        }
    }

    // MARK: For sessions

    /// The sessions of an app, by its bundle identifier.
    ///
    /// - Parameter running: Whether to leave out sessions of runs that have ended.
    func sessions(of app: String, running: Bool = true) -> [SetupSession] {
        state.withLock { $0.sessions.compactMap(\.session) }
            .filter { $0.app.bundle.identifier == app && (!running || $0.app.isRunning) }
    }

    /// Makes this the phone's open picker. Returns false if another one is open (K3).
    ///
    /// The picker of an app that has ended does not count, because it is about to close.
    func open(_ picker: PickerRun) -> Bool {
        state.withLock { state in
            if let current = state.picker, current.session.app.isRunning { return false }
            state.picker = picker
            return true
        }
    }

    func closed(_ picker: PickerRun) {
        let misses = picker.hasFoundNothing ? picker.nearMisses : []
        state.withLock { state in
            guard state.picker === picker else { return }
            state.picker = nil
            state.lastMisses = misses
        }
    }

    package var nearMisses: [NearMiss] {
        let (picker, last) = state.withLock { ($0.picker, $0.lastMisses) }
        return picker?.nearMisses ?? last
    }

    /// The open picker of a session; nil if it has none.
    func picker(of session: SetupSession) -> PickerRun? {
        state.withLock { $0.picker.flatMap { $0.session === session ? $0 : nil } }
    }

    /// Whether the person can be asked a question, because no picker of a running app is open.
    var allowsQuestion: Bool { state.withLock { !($0.picker?.session.app.isRunning ?? false) } }

    /// The identifier that apps see for a Wi-Fi Aware device. The first call for a device makes a new one; never 0.
    func awareDevice(_ address: DeviceAddress) -> UInt64 {
        state.withLock { state in
            if let known = state.awareDevices[address] { return known }
            let device = UInt64.random(in: 1...UInt64.max)
            state.awareDevices[address] = device
            return device
        }
    }

    /// Calls `body` with every event of the radio until ``unwatch(_:)``. `body` must return at once.
    func watch(_ body: @escaping @Sendable (RadioEvent) -> Void) -> UUID {
        let id = UUID()
        state.withLock { $0.watchers[id] = body }
        return id
    }

    func unwatch(_ id: UUID) { state.withLock { $0.watchers[id] = nil } }
}
