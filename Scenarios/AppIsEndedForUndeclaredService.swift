import AccessorySetupKit
import DiceApp
import HIL

/// A descriptor for a service that the Info.plist does not declare: iOS ends the app, and so does this phone.
let appIsEndedForUndeclaredService = Scenario(
    "An app that looks for a service that it does not declare is ended", .tags(.discovery), .covers("P2"),
    .crashes(because: "is not declared: add it to NSAccessorySetupBluetoothServices")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: "180F")
    _ = try await app.addDie(describedBy: descriptor)
}
