/// An app that a scenario launches on the phone: a team's own code, compiled against Apple's frameworks.
public protocol AppUnderTest: AnyObject, Sendable {
    /// The stand-in for the app's bundle: identifier, property lists, pictures.
    static var bundle: AppBundle { get }
    /// The types of the app's extensions. The default is none.
    static var extensions: [Any.Type] { get }

    /// Runs when the phone launches the app; `Phone.current` is set.
    init() async throws
}

extension AppUnderTest {
    public static var extensions: [Any.Type] { [] }
}

extension Phone {
    /// Launches an app in the foreground. An app that is already running is ended first; apps keep their
    /// authorisations.
    ///
    /// If it is the same app, this counts as a force quit (``forceQuitApp()``); another app was ended by the system. To bring
    /// an app to the foreground that the phone has launched by itself, use ``resumeApp()``.
    ///
    /// - Returns: The app, once its initialiser has returned.
    /// - Throws: ``AppBundleError`` if a file of the bundle cannot be used, the error of a service that apps need, the
    ///   error of a folder that cannot be made for the app, the error of its initialiser, or `CancellationError`.
    public func launch<App: AppUnderTest>(
        _ type: App.Type, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> App {
        try Task.checkCancellation()
        recordCallSite(fileID, filePath, line)
        let launches = part(BackgroundLaunches.self)
        launches.remember(type)
        // The person has to unlock the phone to open an app.
        launches.unlock()
        let running = try RunningApp(bundle: App.bundle, extensions: App.extensions)
        for name in running.propertyList.missingBuildSettings { warn(of: .missingBuildSetting(name)) }
        guard let app = try await start(type, as: running) else { throw CancellationError() }
        return app
    }

    /// Starts an app.
    ///
    /// - Parameter began: Called before the app's initialiser.
    /// - Returns: Nil if the phone launches it by itself, and another app runs.
    func start<App: AppUnderTest>(
        _ type: App.Type, as running: RunningApp, _ began: () -> Void = {}
    ) async throws -> App? {
        try LinkedServices.start()
        // The properties of the phone that accessories see may be about to change.
        await part(PhonePeripheral.self).settle()
        guard run(running) else { return nil }
        began()
        try AppHome.current?.enter(running)
        let app = try await asCurrent { try await App() }
        running.hold(app)
        await LinkedServices.launched(app, as: running, on: self)
        return app
    }

    /// Ends an app that is running, and deletes what is only its own (P10).
    func deleteFiles(of identifier: String) {
        if app?.bundle.identifier == identifier { endApp(by: nil, "was ended by its deletion") }
        do { try AppHome.current?.delete(identifier) } catch {
            record(.rigFailure("deleting the files of the app \(identifier): \(error)"))
        }
        store.deleted(identifier)
        // These know what to delete only once they are there.
        _ = (part(AccessorySetup.self), bluetooth)
        forEachPart { $0.deleted(identifier) }
    }
}
