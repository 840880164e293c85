import Synchronization

/// One run of an app on the phone, from its launch to its end.
public final class RunningApp: Sendable {
    /// What the app is: its identifier, its property list and its entitlements.
    public let bundle: AppBundle
    /// The contents of the app's Info.plist.
    package let propertyList: AppPropertyList
    /// The keys of the app's entitlements that are switched on; empty if the app has none.
    package let entitlements: Set<String>
    /// The types of the app's extensions.
    package let extensions: [Any.Type]
    /// Why the phone launched it by itself, in the background; nil if the person opened it.
    public let launchReason: LaunchReason?

    /// The name that the person reads in prompts: the display name, or the bundle identifier of an app without one.
    public var name: String { propertyList.displayName ?? bundle.identifier }

    private struct State {
        var isRunning = true
        var isInForeground = true
        var onForegroundChange: (@Sendable () -> Void)?
        /// Called each time the app is suspended.
        var suspensionWatches: [Int: @Sendable () -> Void] = [:]
        var lastWatch = 0
        var isLaunching = true
        var ending: RelaunchCondition?
        /// The time that is left in the background; nil in the foreground and while the app is suspended.
        var timeLeft: (@Sendable () -> Duration)?
        var hasMadeCentral = false
        var isSuspended = false
        /// How often the app was suspended or woken.
        var changes = 0
        /// The closures that wait until the app is awake again, in order.
        var held: [@Sendable () -> Void] = []
        /// Keeps the app alive while it runs, even if the scenario has released it.
        var app: (any AppUnderTest)?
    }

    private let state = Mutex(State())

    init(bundle: AppBundle, extensions: [Any.Type], launchReason: LaunchReason? = nil) throws {
        self.bundle = bundle
        self.extensions = extensions
        self.launchReason = launchReason
        state.withLock { $0.isInForeground = launchReason == nil }
        propertyList = try AppPropertyList(
            contentsOf: bundle.infoPlist, buildSettings: bundle.allBuildSettings)
        entitlements = try bundle.entitlements.map { try AppPropertyList.entitlements(in: $0) } ?? []
    }

    /// False once the app has been ended, or launched again.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Whether the app is in the foreground. A picker appears only then (K4).
    public var isInForeground: Bool {
        get { state.withLock { $0.isInForeground } }
        set {
            let changed = state.withLock { state in
                defer { state.isInForeground = newValue }
                return state.isInForeground == newValue ? nil : state.onForegroundChange
            }
            changed?()
        }
    }

    /// Calls `body` after each change of ``isInForeground``, on the thread of the change.
    func onForegroundChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onForegroundChange = body } }

    /// Whether the app is suspended: none of its code runs (C13).
    public var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Runs `body` now, or when the app is awake again if it is suspended. The order is kept.
    func whenAwake(_ body: @escaping @Sendable () -> Void) {
        let isHeld = state.withLock { state in
            if state.isSuspended { state.held.append(body) }
            return state.isSuspended
        }
        if !isHeld { body() }
    }

    /// Suspends the app, unless it is in the foreground or something else happened to it since then.
    ///
    /// - Parameter change: The value that ``wake()`` returned; nil for any.
    /// - Returns: Whether it is suspended now and was not before.
    func suspend(since change: Int? = nil) -> Bool {
        let watches: [@Sendable () -> Void]? = state.withLock { state in
            guard !state.isSuspended, !state.isInForeground, change.map({ $0 == state.changes }) ?? true else {
                return nil
            }
            state.isSuspended = true
            state.changes += 1
            return Array(state.suspensionWatches.values)
        }
        for watch in watches ?? [] { watch() }
        return watches != nil
    }

    /// Calls `body` each time the app is suspended, on any thread.
    ///
    /// - Returns: An object to keep: the calls end when it is released.
    package func watchSuspension(_ body: @escaping @Sendable () -> Void) -> LinkWatch {
        let number = state.withLock { state in
            state.lastWatch += 1
            state.suspensionWatches[state.lastWatch] = body
            return state.lastWatch
        }
        return LinkWatch { [weak self] in self?.state.withLock { _ = $0.suspensionWatches.removeValue(forKey: number) }
        }
    }

    /// Wakes the app, and runs the waiting closures.
    ///
    /// - Returns: A value for ``suspend(since:)``; nil if the app was awake.
    func wake() -> Int? {
        while true {
            // Closures that come meanwhile still wait, behind the earlier ones.
            let (next, change): ((@Sendable () -> Void)?, Int?) = state.withLock { state in
                if !state.held.isEmpty { return (state.held.removeFirst(), nil) }
                guard state.isSuspended else { return (nil, nil) }
                state.isSuspended = false
                state.changes += 1
                return (nil, state.changes)
            }
            guard let next else { return change }
            next()
        }
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
    package func release() {
        let app = state.withLock { state in
            defer { state.app = nil }
            return state.app
        }
        withExtendedLifetime(app) {}
    }

    /// How the app has ended, as far as Bluetooth may launch it again; nil if it runs, or ended for good.
    var ending: RelaunchCondition? { state.withLock { $0.ending } }

    /// How long the app may still run in the background; nil in the foreground and while it is suspended.
    package var backgroundTimeLeft: Duration? {
        let timeLeft = state.withLock { $0.isInForeground || $0.isSuspended ? nil : $0.timeLeft }
        return timeLeft?()
    }

    /// Notes a limit of the time in the background.
    func limitBackground(timeLeft: @escaping @Sendable () -> Duration) { state.withLock { $0.timeLeft = timeLeft } }

    /// A value for ``suspend(since:)``: nothing happened to the app after this moment.
    var currentChange: Int { state.withLock { $0.changes } }

    /// Whether this run of the app has made a central manager.
    var hasMadeCentral: Bool { state.withLock { $0.hasMadeCentral } }

    func noteCentral() { state.withLock { $0.hasMadeCentral = true } }

    /// Ends the app.
    ///
    /// - Parameter ending: How, as far as Bluetooth may launch it again; nil for good.
    func end(by ending: RelaunchCondition?) {
        state.withLock { state in
            state.isRunning = false
            state.ending = ending
        }
    }
}
