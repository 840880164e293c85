import Foundation

// The ways in which an app ends.
extension Phone {
    /// Ends the running app, as a swipe in the app switcher does (``forceQuitApp()``), or as the system does to free memory.
    /// Its sessions receive no more events.
    ///
    /// After the system has ended it, central managers with a restore identifier keep their connections and scans, and an
    /// event that they wait for launches the app in the background (L1).
    ///
    /// - Parameter bySystem: True if the system ends the app.
    public func terminateApp(bySystem: Bool = false) {
        if bySystem { endApp(by: .removedFromMemory, "was ended by the system") } else { forceQuitApp() }
    }

    /// Ends the running app, as the person does who swipes it away in the app switcher.
    ///
    /// Nothing launches the app any more until the person opens it, unless it has set up a Bluetooth accessory with
    /// AccessorySetupKit: then it is as after the system has ended it, from iOS 26 on (L3).
    public func forceQuitApp() { endApp(by: .forceQuit, "was terminated") }

    /// Ends the running app as a crash does, without a crash of this process. Bluetooth launches it again as after the system
    /// has ended it (L3).
    public func crashApp() { endApp(by: .crashed, "crashed, as the scenario wants it") }

    /// Deletes an app, as the person can, and returns when its bonds are deleted, too.
    ///
    /// Ends the app and deletes its files and user defaults (P10), its notifications and settings, its permissions, its
    /// networks and accessories, and what Bluetooth keeps for it (L6). The next launch is that of a new installation.
    ///
    /// - Parameter app: The app's bundle identifier.
    public func deleteApp(_ app: String) async {
        notifications.deleteApp(app)
        await part(AccessorySetup.self).settle()
    }

    /// Ends the app that runs, because another one, or itself, is launched.
    func makeRoom(for next: RunningApp) {
        guard let app else { return }
        let isSame = app.bundle.identifier == next.bundle.identifier
        endApp(
            app, by: isSame ? .forceQuit : .removedFromMemory, isSame ? "was terminated" : "was ended by the system")
    }
}
