import Foundation
import HILPhone

/// Calls the app's delegate at its launch, and when it moves to the background or to the foreground (L4).
///
/// Found by its name: see ``HILPhone/LinkedService``.
final class ApplicationCalls: LinkedService {
    static func launched(_ app: any AppUnderTest, as running: RunningApp, on phone: Phone) async {
        _ = phone.part(ApplicationMoves.self)
        await phone.asCurrent { await UIApplication.shared.finishLaunching(app, as: running) }
    }
}

/// Hears when the app moves to the background or to the foreground.
final class ApplicationMoves: PhoneComponent {
    private unowned let phone: Phone

    init(phone: Phone) { self.phone = phone }

    func foregroundChanged(of app: RunningApp) {
        let isInForeground = app.isInForeground
        phone.deliver(to: app, on: .main) {
            MainActor.assumeIsolated { UIApplication.shared.move(app, toForeground: isInForeground) }
        }
    }
}

extension UIApplication {
    /// Calls the delegate of an app that was launched, if it has one.
    ///
    /// Source: Apple, “Responding to the launch of your app”:
    /// <https://developer.apple.com/documentation/uikit/responding-to-the-launch-of-your-app>.
    fileprivate func finishLaunching(_ app: any AppUnderTest, as running: RunningApp) {
        if let own = app as? any UIApplicationDelegate { delegate = own }
        guard running.isRunning, owner === running, let delegate else { return }
        let options = Self.launchOptions(for: running.launchReason)
        _ = delegate.application(self, willFinishLaunchingWithOptions: options)
        _ = delegate.application(self, didFinishLaunchingWithOptions: options)
        if running.isInForeground { delegate.applicationDidBecomeActive(self) }
    }

    /// The options of a launch; nil for one by the person.
    ///
    /// Source: Apple, “Core Bluetooth Background Processing for iOS Apps”, “Reinstantiate Your Central and Peripheral Managers”.
    private static func launchOptions(for reason: LaunchReason?) -> [LaunchOptionsKey: Any]? {
        guard let reason else { return nil }
        var options: [LaunchOptionsKey: Any] = [:]
        if !reason.centrals.isEmpty { options[.bluetoothCentrals] = reason.centrals }
        if !reason.peripherals.isEmpty { options[.bluetoothPeripherals] = reason.peripherals }
        return options
    }

    /// Calls the delegate and posts the notifications of a move.
    fileprivate func move(_ app: RunningApp, toForeground isInForeground: Bool) {
        let delegate = owner === app ? delegate : nil
        let centre = NotificationCenter.default
        if isInForeground {
            delegate?.applicationWillEnterForeground(self)
            centre.post(name: Self.willEnterForegroundNotification, object: self)
            delegate?.applicationDidBecomeActive(self)
            centre.post(name: Self.didBecomeActiveNotification, object: self)
        } else {
            delegate?.applicationWillResignActive(self)
            centre.post(name: Self.willResignActiveNotification, object: self)
            delegate?.applicationDidEnterBackground(self)
            centre.post(name: Self.didEnterBackgroundNotification, object: self)
        }
    }
}
