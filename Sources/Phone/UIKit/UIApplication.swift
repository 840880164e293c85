import Foundation
import HILPhone

/// Names work that an app continues in the background.
public struct UIBackgroundTaskIdentifier: Sendable, Hashable, RawRepresentable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// No work.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The running app, as far as it has no screen.
@preconcurrency @MainActor
public final class UIApplication: NSObject {
    /// Whether the person sees the app.
    public enum State: Int, Sendable {
        case active, inactive, background
    }

    /// The reasons for a launch.
    public struct LaunchOptionsKey: Sendable, Hashable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The restore identifiers of the central managers that the app had; `[String]`.
        public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
        public static let bluetoothPeripherals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
        public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
    }

    public static let shared = UIApplication()
    private static var lastTask = 0

    private override init() {}

    /// The object that hears of the app's launch and of its moves to the background and to the foreground. An app under test
    /// that is a delegate itself need not set it; another one sets it in its initialiser.
    public weak var delegate: (any UIApplicationDelegate)? { didSet { owner = Phone.currentIfAny?.app } }
    /// The app that the delegate belongs to.
    weak var owner: RunningApp?

    /// Where the running app is.
    public var applicationState: State { Phone.currentIfAny?.app?.isInForeground == false ? .background : .active }
    /// The phone's screen never locks.
    public var isIdleTimerDisabled = false
    /// In the foreground without a limit; in the background the seconds until the app is suspended.
    public var backgroundTimeRemaining: TimeInterval {
        guard let left = Phone.currentIfAny?.app?.backgroundTimeLeft else { return .greatestFiniteMagnitude }
        return TimeInterval(left.components.seconds) + TimeInterval(left.components.attoseconds) / 1e18
    }

    /// Names work that may continue in the background. The handler is not called: nothing ends the work here.
    public func beginBackgroundTask(
        withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        Self.lastTask += 1
        return UIBackgroundTaskIdentifier(rawValue: Self.lastTask)
    }

    /// Ends the named work.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}

    /// Whether an app can open a URL: only Settings is on this phone.
    public func canOpenURL(_ url: URL) -> Bool { url.absoluteString == Self.openSettingsURLString }

    /// Records in the phone's events that the app asked for a URL. Nothing opens; the result is false.
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        tell(url)
        return false
    }

    /// Records in the phone's events that the app asked for a URL. Nothing opens; the handler gets false.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler: (@MainActor @Sendable (Bool) -> Void)?
    ) {
        tell(url)
        DispatchQueue.main.async { completionHandler?(false) }
    }

    /// How a URL is opened.
    public struct OpenExternalURLOptionsKey: Sendable, Hashable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let universalLinksOnly = Self(rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    private func tell(_ url: URL) {
        let phone = Phone.current
        phone.record(.app(phone.app?.bundle.identifier ?? "no app", "asked to open \(url.scheme ?? "a URL")"))
    }

    /// The page of an app in Settings.
    public nonisolated static let openSettingsURLString = "app-settings:"
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    public nonisolated static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    public nonisolated static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
}
