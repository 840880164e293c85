import Synchronization

/// What decides whether notifications alert: what the person set for each app, the Focus, and silent mode (N4).
///
/// A change holds for what is posted after it.
public final class AlertSettings: PhonePart {
    /// What the person set for one app in Settings, Notifications.
    public struct App: Sendable, Hashable {
        /// Allow Notifications: without it nothing of the app appears at all.
        public var isAllowed = true
        /// Whether its notifications show themselves, rather than wait in the notification centre.
        public var alerts = true
        public var sounds = true
        /// Whether its time-sensitive notifications pass a Focus.
        public var timeSensitive = true
        /// Whether its critical notifications pass everything. iOS asks the person for that by itself.
        public var critical = true

        public init() {}
    }

    /// A Focus that is on: what may still alert.
    public struct Focus: Sendable, Hashable {
        public var name: String
        /// The bundle identifiers of the apps that may alert as always.
        public var allowedApps: Set<String>
        /// Whether time-sensitive notifications of the other apps alert.
        public var allowsTimeSensitive: Bool
        /// Whether calls ring.
        public var allowsCalls: Bool

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

    public init(phone: Phone) { self.phone = phone }

    /// All of it, at one moment.
    var values: Values { state.withLock { $0 } }

    /// The Focus that is on; nil for none.
    public var focus: Focus? {
        get { values.focus }
        set {
            change(newValue.map { "turned the Focus “\($0.name)” on" } ?? "turned Focus off") { $0.focus = newValue }
        }
    }

    /// Whether the phone is silenced.
    public var isSilent: Bool {
        get { values.isSilent }
        set { change("turned silent mode \(newValue ? "on" : "off")") { $0.isSilent = newValue } }
    }

    /// What the person set for the app of that bundle identifier; everything is on until then.
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

    /// Forgets what was set for an app, as when it is deleted.
    func forget(_ app: String) { state.withLock { $0.apps[app] = nil } }

    private func change(_ what: String, _ body: (inout Values) -> Void) {
        state.withLock { body(&$0) }
        phone.record(.note("person", what))
    }
}

extension Phone {
    /// What decides whether notifications alert on this phone.
    public var alertSettings: AlertSettings { part() }
}
