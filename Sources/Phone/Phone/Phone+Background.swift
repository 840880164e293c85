import Foundation

/// An app in the background (C13).
extension Phone {
    /// Sends the running app to the background and suspends it. iOS takes some seconds for that.
    ///
    /// The app's own code still runs, because it is part of this process, but its requests to Core Bluetooth are
    /// carried out when it is awake again, as if its code had not run. Events for it wait, too. An event of its
    /// accessory wakes it for ``HostPolicy/backgroundTime``, if it has `bluetooth-central` among its
    /// `UIBackgroundModes`.
    public func suspendApp() {
        guard let app else { return }
        app.isInForeground = false
        if app.suspend() { record(.app(app.bundle.identifier, "was suspended")) }
    }

    /// Brings the running app to the foreground.
    public func resumeApp() {
        guard let app else { return }
        let wasInBackground = !app.isInForeground
        app.isInForeground = true
        if app.wake() != nil {
            record(.app(app.bundle.identifier, "was resumed"))
        } else if wasInBackground {
            record(.app(app.bundle.identifier, "came to the foreground"))
        }
    }

    /// Wakes a suspended app in the background, for a while.
    func wakeInBackground(_ app: RunningApp) {
        guard let change = app.wake() else { return }
        record(.app(app.bundle.identifier, "was woken in the background"))
        limitBackground(of: app, since: change, "was suspended again")
    }

    /// Suspends an app in the background when its time is over, unless something else has happened to it by then.
    func limitBackground(of app: RunningApp, since change: Int, _ what: String) {
        let (limit, clock) = (policy.backgroundTime, clock)
        let elapsed = stopwatch(clock)
        app.limitBackground { max(.zero, limit - elapsed()) }
        Task { [weak self] in
            guard (try? await clock.sleep(for: limit)) != nil, app.isRunning, app.suspend(since: change) else { return }
            self?.record(.app(app.bundle.identifier, what))
        }
    }
}
