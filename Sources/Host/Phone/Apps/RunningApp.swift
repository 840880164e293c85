import Synchronization

/// One run of an app on the phone, from its launch to its end.
public final class RunningApp: Sendable {
    public let bundle: AppBundle
    /// What the app declares in its Info.plist.
    public let propertyList: AppPropertyList
    /// The app's entitlements; empty if it has none.
    public let entitlements: Set<String>
    /// The types of the app's extensions.
    public let extensions: [Any.Type]

    private struct State {
        var isRunning = true
        var isInForeground = true
        var isLaunching = true
        var wasEndedBySystem = false
        /// The app itself: it runs on the phone, whether or not the scenario still looks at it.
        var app: (any AppUnderTest)?
    }

    private let state = Mutex(State())

    init(bundle: AppBundle, extensions: [Any.Type]) throws {
        self.bundle = bundle
        self.extensions = extensions
        propertyList = try AppPropertyList(contentsOf: bundle.infoPlist)
        entitlements = try bundle.entitlements.map { try AppPropertyList.entitlements(in: $0) } ?? []
    }

    /// False once it was terminated or launched anew.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether the person sees the app. A picker needs that (K4).
    public var isInForeground: Bool {
        get { state.withLock { $0.isInForeground } }
        set { state.withLock { $0.isInForeground = newValue } }
    }

    /// Whether its initialiser still runs.
    var isLaunching: Bool { state.withLock { $0.isLaunching } }

    func hold(_ app: any AppUnderTest) {
        state.withLock { state in
            state.app = app
            state.isLaunching = false
        }
    }

    /// Lets go of the app, which is gone once the scenario has done so, too.
    public func letGo() {
        let app = state.withLock { state in
            defer { state.app = nil }
            return state.app
        }
        withExtendedLifetime(app) {}
    }

    /// Whether the system ended it, for want of memory; what it left with the system goes on then.
    var wasEndedBySystem: Bool { state.withLock { $0.wasEndedBySystem } }

    func end(bySystem: Bool) {
        state.withLock { state in
            state.isRunning = false
            state.wasEndedBySystem = bySystem
        }
    }
}
