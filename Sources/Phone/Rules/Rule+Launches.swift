extension Rule {
    /// The rules for apps that are not running: what launches them, and what stays of them.
    static let launches: [Rule] = [
        Rule(
            "L1", [.header, .seen, .open],
            """
            After the system has ended an app, its central managers with a restore identifier keep their scans, attempts to \
            connect, connections and subscriptions. A connection or its end, a value, or a peripheral that its scan finds \
            launches the app in the background for about 10 s: it hears `willRestoreState` first, then its state, then what it \
            missed, in order [up to 64 events]. An app without a restore identifier is not launched, and its links end.
            """),
        Rule(
            "L2", [.seen],
            """
            A restore identifier of an app without the mode for it in UIBackgroundModes ends the app [crash]: \
            `bluetooth-central`, or `bluetooth-peripheral` for a peripheral manager.
            """),
        Rule(
            "L3", [.header],
            """
            TN3115: an app is launched again after the system has ended it, after a crash, and after a restart; not after the \
            person has switched Bluetooth off in Settings. After a force quit, Control Center's Bluetooth button or Airplane \
            Mode, iOS 26 launches only apps that have set up a Bluetooth accessory with AccessorySetupKit. A force quit ends \
            everything for other apps until the person opens them.
            """),
        Rule(
            "L4", [.header],
            """
            `application(_:didFinishLaunchingWithOptions:)` has the restore identifiers of the app's managers under \
            `bluetoothCentrals` if the phone has launched it. In the background, `applicationState` is background and \
            `backgroundTimeRemaining` counts down.
            """),
        Rule(
            "L5", [.header, .open],
            """
            A restart of the phone keeps bonds, accessories, permissions and networks. Links end [by power off, 0x15]. Before \
            the first unlock no app is launched; then Bluetooth goes on with what apps waited for, and connects again what \
            was connected [it does].
            """),
        Rule(
            "L6", [.seen, .open],
            """
            The deletion of an app deletes its permissions and networks, what Bluetooth keeps for it, and its accessories with \
            their bonds [it does]. Installed again, it starts like a new one.
            """),
        Rule(
            "L7", [.header],
            """
            After the system has ended an app, the services and the advertisement of a peripheral manager with a restore \
            identifier stay. A request, a subscription or an L2CAP channel of another device launches the app, which hears \
            `willRestoreState` first, with its services, their subscribers and what it advertises.
            """),
    ]
}
