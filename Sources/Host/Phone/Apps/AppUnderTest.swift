/// An app that a scenario launches on the phone: the team's own code, against Apple's frameworks.
public protocol AppUnderTest: AnyObject, Sendable {
    /// What would be the app's bundle: identifier, property lists, pictures.
    static var bundle: AppBundle { get }
    /// The types of the app's extensions.
    static var extensions: [Any.Type] { get }

    /// Runs when the app is launched, with ``Phone/current`` set.
    init() async throws
}

extension AppUnderTest {
    public static var extensions: [Any.Type] { [] }
}

extension Phone {
    /// Launches an app in the foreground; one that runs already is ended first. What it was allowed is still allowed.
    ///
    /// - Throws: ``AppBundleError`` if the bundle is not in order, or what the app's initialiser throws.
    public func launch<App: AppUnderTest>(
        _ type: App.Type, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> App {
        noteCall(fileID, filePath, line)
        let running = try RunningApp(bundle: App.bundle, extensions: App.extensions)
        run(running)
        let app = try await asCurrent { try await App() }
        running.hold(app)
        return app
    }
}
