import Synchronization

/// The settings that decide whether notifications alert: those of each app, the Focus, and silent mode (N4).
///
/// A change affects only notifications that are posted after it.
public final class AlertSettings: PhoneComponent {
    /// The settings of one app, as under Notifications in Settings.
    public struct App: Sendable, Hashable {
        /// Allow Notifications: if false, no notification of the app appears at all.
        package var isAllowed = true
        /// Whether its notifications appear on the screen; if false, they wait in the notification centre.
        public var alerts = true
        /// Whether its notifications may make a sound.
        public var sounds = true
        /// Whether its time-sensitive notifications alert during a Focus.
        package var timeSensitive = true
        /// Whether its critical notifications alert during any Focus and in silent mode. iOS asks the person
        /// separately.
        package var critical = true

        /// The settings of an app whose alerts the person has left on.
        public init() {}
    }

    /// A Focus, with the notifications that may still alert while it is on.
    public struct Focus: Sendable, Hashable {
        package var name: String
        /// The bundle identifiers of the apps that may alert as usual.
        package var allowedApps: Set<String>
        /// Whether time-sensitive notifications of other apps alert.
        public var allowsTimeSensitive: Bool
        /// Whether calls ring.
        public var allowsCalls: Bool

        /// A Focus with this name. `apps`: the bundle identifiers of those that may alert as usual.
        public init(
            _ name: String, allowing apps: Set<String> = [], allowsTimeSensitive: Bool = true, allowsCalls: Bool = false
        ) {
            self.name = name
            allowedApps = apps
            self.allowsTimeSensitive = allowsTimeSensitive
            self.allowsCalls = allowsCalls
        }
    }

    struct Values: Sendable, Hashable {
        var apps: [String: App] = [:]
        var focus: Focus?
        var isSilent = false

        func app(_ bundleIdentifier: String) -> App { apps[bundleIdentifier] ?? App() }
    }

    private unowned let phone: Phone
    private let state = Mutex(Values())

    package init(phone: Phone) { self.phone = phone }

    /// A copy of all settings.
    var values: Values { state.withLock { $0 } }

    /// The Focus that is on; nil if none is.
    public var focus: Focus? {
        get { values.focus }
        set {
            change(newValue.map { "turned the Focus “\($0.name)” on" } ?? "turned Focus off") { $0.focus = newValue }
        }
    }

    /// Whether the phone is in silent mode.
    public var isSilent: Bool {
        get { values.isSilent }
        set { change("turned silent mode \(newValue ? "on" : "off")") { $0.isSilent = newValue } }
    }

    /// The settings of the app with this bundle identifier. At first everything is on.
    public subscript(app: String) -> App {
        get { values.app(app) }
        set {
            let on = [
                (newValue.isAllowed, "notifications"), (newValue.alerts, "alerts"), (newValue.sounds, "sounds"),
                (newValue.timeSensitive, "time-sensitive"), (newValue.critical, "critical"),
            ].filter(\.0).map(\.1)
            change("allows \(app): \(on.isEmpty ? "nothing" : on.joined(separator: ", "))") { $0.apps[app] = newValue }
        }
    }

    /// Resets the settings of an app that is deleted.
    func forget(_ app: String) { state.withLock { $0.apps[app] = nil } }

    private func change(_ what: String, _ body: (inout Values) -> Void) {
        state.withLock { body(&$0) }
        phone.record(.note("person", what))
    }
}

extension Phone {
    /// The settings of this phone that decide whether notifications alert.
    public var alertSettings: AlertSettings { part() }
}
