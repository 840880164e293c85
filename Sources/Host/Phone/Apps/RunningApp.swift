import Synchronization

/// One run of an app on the phone, from its launch to its end.
public final class RunningApp: Sendable {
    public let bundle: AppBundle
    /// The contents of the app's Info.plist.
    public let propertyList: AppPropertyList
    /// The keys of the app's entitlements that are switched on; empty if the app has none.
    public let entitlements: Set<String>
    /// The types of the app's extensions.
    public let extensions: [Any.Type]

    /// The name that the person reads in prompts: the display name, or the bundle identifier of an app without one.
    public var name: String { propertyList.displayName ?? bundle.identifier }

    private struct State {
        var isRunning = true
        var isInForeground = true
        var isLaunching = true
        var wasEndedBySystem = false
        var hasMadeCentral = false
        /// Keeps the app alive while it runs, even if the scenario has released it.
        var app: (any AppUnderTest)?
    }

    private let state = Mutex(State())

    init(bundle: AppBundle, extensions: [Any.Type]) throws {
        self.bundle = bundle
        self.extensions = extensions
        propertyList = try AppPropertyList(
            contentsOf: bundle.infoPlist, buildSettings: bundle.allBuildSettings)
        entitlements = try bundle.entitlements.map { try AppPropertyList.entitlements(in: $0) } ?? []
    }

    /// False once the app has been ended, or launched again.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether the app is in the foreground. A picker appears only then (K4).
    public var isInForeground: Bool {
        get { state.withLock { $0.isInForeground } }
        set { state.withLock { $0.isInForeground = newValue } }
    }

    /// Whether the app's initialiser is still running.
    var isLaunching: Bool { state.withLock { $0.isLaunching } }

    func hold(_ app: any AppUnderTest) {
        state.withLock { state in
            state.app = app
            state.isLaunching = false
        }
    }

    /// Releases the app. The object is freed once the scenario has released it too.
    public func release() {
        let app = state.withLock { state in
            defer { state.app = nil }
            return state.app
        }
        withExtendedLifetime(app) {}
    }

    /// Whether the system ended the app to free memory. Its restorable central managers then stay active.
    var wasEndedBySystem: Bool { state.withLock { $0.wasEndedBySystem } }

    /// Whether this run of the app has made a central manager.
    var hasMadeCentral: Bool { state.withLock { $0.hasMadeCentral } }

    func noteCentral() { state.withLock { $0.hasMadeCentral = true } }

    func end(bySystem: Bool) {
        state.withLock { state in
            state.isRunning = false
            state.wasEndedBySystem = bySystem
        }
    }
}
