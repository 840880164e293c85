import CoreBluetooth
import HIL
import KettleApp

extension HostStack {
    /// A kettle with Bumble. `make` installs Bumble, and sets PYTHONPATH.
    static func kettle(named name: String) -> HostStack {
        .hostStack(
            command: ["python3", "\(package)/Accessory/kettle.py", "{socket}", name], speaking: .unixSocket())
    }
}

/// The folder of this package.
private let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

/// The app's library folder, which both versions use. Each scenario has its own process, and so its own folder.
let library: URL = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kettles-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}()

/// The app of today.
@MainActor
final class KettleApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        AppBundle(identifier: "com.example.kettle", folder: "\(package)/App")
    }

    let model = KettleModel(library: library)

    init() async throws { model.start() }

    /// The identifiers of the kettles that the app may use.
    var kettles: [UUID] { model.manager.accessories.compactMap(\.bluetoothIdentifier) }
}

/// The app before it used AccessorySetupKit.
@MainActor
final class EarlierKettleApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        AppBundle(
            identifier: "com.example.kettle", infoPlist: "\(package)/App/Before.plist", resources: "\(package)/App")
    }

    let model = EarlierKettleModel(library: library)

    init() async throws { model.start() }
}

extension Lab {
    /// Launches the app of today, and lets the person continue with the existing kettle.
    func updatedApp(migrating old: UUID) async throws -> KettleApp {
        let app = try await phone.launch(KettleApp.self)
        try await step("update the app", within: .seconds(30)) {
            try await self.becomes("the app asks the person") { app.model.asksToMigrate }
            app.model.migrateKettles()
            try await self.becomes("the new version shows the temperature") { app.model.temperatures[old] == 20 }
        }
        expect(app.kettles, equals: [old], "it is the existing kettle")
        return app
    }

    /// Sets a kettle up with the app's earlier version: scanned for, paired, and remembered.
    ///
    /// - Returns: Its identifier.
    func kettleOfEarlierVersion() async throws -> UUID {
        let app = try await phone.launch(EarlierKettleApp.self)
        try await step("set up as before", within: .seconds(30)) {
            try await self.becomes("the earlier version shows the temperature") { app.model.temperature == 20 }
        }
        let identifiers = SavedKettles(library: library).identifiers
        expect(identifiers.count, equals: 1, "the earlier version remembers the kettle")
        return try require(identifiers.first, "there is a kettle to migrate")
    }
}
