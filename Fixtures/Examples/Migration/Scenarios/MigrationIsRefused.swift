import AccessorySetupKit
import CoreBluetooth
import HIL
import KettleApp

let migrationIsRefused = Scenario(
    "A migration is refused while the app uses Core Bluetooth, and the next launch migrates", .tags(.pairing),
    .attaches(.kettle(named: "Kettle 1"), named: "kettle"), .withoutAccessoryBoard
) { lab in
    let old = try await lab.kettleOfEarlierVersion()
    let app = try await lab.phone.launch(HastyKettleApp.self)
    try await lab.becomes("the app asks the person") { app.model.asksToMigrate }
    app.model.migrateKettles()
    try await lab.becomes("the app hears that the picker is restricted") {
        (app.model.failure as? ASError)?.code == .pickerRestricted
    }
    lab.expect(app.model.manager.accessories.isEmpty, "nothing was migrated")

    _ = try await lab.updatedApp(migrating: old)
}

/// The app with a mistake: it uses Core Bluetooth before the migration.
@MainActor
private final class HastyKettleApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { KettleApp.bundle }

    let model: KettleModel
    private let central = CBCentralManager(delegate: nil, queue: .main)

    init() async throws {
        model = KettleModel(library: library)
        model.start()
    }
}
