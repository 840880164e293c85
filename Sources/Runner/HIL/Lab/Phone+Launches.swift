import HILPhone
import HILRecord
import HILTiming

/// An app was awaited that the phone launches by itself, and its initialiser has thrown.
package struct LaunchFailed: Error, Sendable, CustomStringConvertible {
    /// The app's bundle identifier.
    package let app: String
    /// The error of its initialiser.
    package let error: any Error

    package var description: String {
        "the phone has launched \(app) in the background, and its initialiser threw \(error)"
    }
}

extension Phone {
    /// Waits until the phone has launched an app by itself, in the background, and returns it. Returns at once if such an app
    /// runs now.
    ///
    /// The app is in the background until `resumeApp()`, and is suspended after the policy's `backgroundTime`.
    ///
    /// - Parameter limit: How long to wait at most; nil for the step's remaining time, or 10 s outside a step.
    /// - Throws: `TimedOut` if the phone does not launch it in time; ``LaunchFailed``.
    @discardableResult
    public func launched<App: AppUnderTest>(
        _ type: App.Type, within limit: Duration? = nil, fileID: String = #fileID, filePath: String = #filePath,
        at line: Int = #line
    ) async throws -> App {
        try await ScenarioRecorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            let what = "the phone to launch \(App.bundle.identifier) in the background"
            return try await SharedDeadline.wait(for: what, within: limit, clock: clock) {
                for try await launch in self.backgroundLaunches.events() {
                    switch launch.app {
                    case .success(let app as App) where launch.running.isRunning: return app
                    case .failure(let error) where launch.running.bundle.identifier == App.bundle.identifier:
                        throw LaunchFailed(app: App.bundle.identifier, error: error)
                    default: continue
                    }
                }
                throw CancellationError()
            }
        }
    }

    /// Whether the phone launches an app by itself within a time. Use it where it should not.
    public func launches<App: AppUnderTest>(_ type: App.Type, within limit: Duration) async throws -> Bool {
        do {
            try await launched(type, within: limit)
            return true
        } catch is TimedOut { return false }
    }
}
