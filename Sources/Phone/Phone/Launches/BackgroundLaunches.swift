import Foundation
import HILTiming
import Synchronization

/// An app that the phone has launched by itself, or tried to.
package struct BackgroundLaunch: Sendable {
    package let running: RunningApp
    /// The app, or the error of its initialiser.
    package let app: Result<any AppUnderTest, any Error>
}

extension Phone {
    /// The launches that the phone has made by itself, in order.
    package var backgroundLaunches: EventLog<BackgroundLaunch> { part(BackgroundLaunches.self).launched }
}

/// Launches apps in the background when an event comes that they wait for (L1).
///
/// This phone runs one app at a time: while another one runs, the launch waits.
final class BackgroundLaunches: PhoneComponent {
    private typealias Launcher = @Sendable (Phone, LaunchReason) async -> Bool

    private struct State {
        /// How to launch the apps that were launched before, by bundle identifier.
        var launchers: [String: Launcher] = [:]
        /// The apps to launch, oldest first, with the event in words.
        var wanted: [(app: String, event: String)] = []
        /// Whether the phone was restarted, and not unlocked since then.
        var isLocked = false
        var isLaunching = false
    }

    private unowned let phone: Phone
    private let state = Mutex(State())
    let launched = EventLog<BackgroundLaunch>()

    init(phone: Phone) { self.phone = phone }

    /// Remembers how to launch an app.
    func remember<App: AppUnderTest>(_ type: App.Type) {
        let launcher: Launcher = { phone, reason in await phone.launchInBackground(type, because: reason) }
        state.withLock { $0.launchers[App.bundle.identifier] = launcher }
    }

    /// Launches an app as soon as that is possible. Does nothing if it runs already.
    ///
    /// - Parameter event: The event that it waits for, in words.
    func want(_ app: String, because event: String) {
        let (isNew, isLocked) = state.withLock { state in
            guard state.launchers[app] != nil, !state.wanted.contains(where: { $0.app == app }) else {
                return (false, false)
            }
            state.wanted.append((app, event))
            return (true, state.isLocked)
        }
        guard isNew else { return }
        if isLocked {
            phone.record(.app(app, "is not launched for \(event) before the phone is unlocked"))
        } else if let other = phone.app, other.bundle.identifier != app {
            phone.record(
                .app(
                    app, "waits with its launch for \(event): \(other.name) runs, and this phone runs one app at a time"
                ))
        }
        launchNext()
    }

    /// Whether the phone waits for the person to unlock it for the first time after a restart.
    var isLocked: Bool { state.withLock { $0.isLocked } }

    func lock() { state.withLock { $0.isLocked = true } }

    func unlock() {
        state.withLock { $0.isLocked = false }
        launchNext()
    }

    func ended(_ app: RunningApp) {}

    func released(_ app: RunningApp) { launchNext() }

    func deleted(_ app: String) {
        state.withLock { state in
            state.launchers[app] = nil
            state.wanted.removeAll { $0.app == app }
        }
    }

    func switchedOff() { state.withLock { $0.wanted = [] } }

    /// Launches the app that waits for it longest, if none runs.
    private func launchNext() {
        let running = phone.app?.bundle.identifier
        let isFree = phone.isFree
        let next = state.withLock { state -> (launcher: Launcher, app: String, event: String)? in
            state.wanted.removeAll { $0.app == running }
            guard isFree, !state.isLocked, !state.isLaunching, let first = state.wanted.first,
                let launcher = state.launchers[first.app]
            else { return nil }
            state.wanted.removeFirst()
            state.isLaunching = true
            return (launcher, first.app, first.event)
        }
        guard let next else { return }
        Task { [phone] in
            // What it waited for may be gone, with Bluetooth or by the person.
            let reason = LaunchReason(
                next.event, centrals: phone.bluetooth.restoreNames(of: next.app),
                peripherals: phone.part(PhonePeripheral.self).restoreNames(of: next.app))
            let isGone = reason.centrals.isEmpty && reason.peripherals.isEmpty
            let isDone = isGone ? true : await next.launcher(phone, reason)
            state.withLock { state in
                state.isLaunching = false
                if !isDone { state.wanted.insert((next.app, next.event), at: 0) }
            }
            launchNext()
        }
    }
}

extension Phone {
    /// Launches an app in the background.
    ///
    /// - Returns: False if another app runs.
    fileprivate func launchInBackground<App: AppUnderTest>(_ type: App.Type, because reason: LaunchReason) async -> Bool
    {
        let running: RunningApp
        do {
            running = try RunningApp(bundle: App.bundle, extensions: App.extensions, launchReason: reason)
        } catch {
            record(.warning(rule: "L1", "\(App.bundle.identifier) could not be launched in the background: \(error)"))
            return true
        }
        let change = running.currentChange
        do {
            guard let app = try await start(type, as: running, { self.limitBackground(of: running, since: change) })
            else {
                return false
            }
            backgroundLaunches.append(BackgroundLaunch(running: running, app: .success(app)))
        } catch {
            backgroundLaunches.append(BackgroundLaunch(running: running, app: .failure(error)))
            record(.warning(rule: "L1", "\(App.bundle.identifier) failed at its launch in the background: \(error)"))
            endApp(running, by: .crashed, "ended, because its launch has failed")
        }
        return true
    }

    private func limitBackground(of app: RunningApp, since change: Int) {
        limitBackground(of: app, since: change, "was suspended")
    }
}
