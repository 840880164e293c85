import AccessorySetupKit
import DiceApp
import HIL

/// An app whose Info.plist has no keys for accessories.
private final class SilentApp: AppUnderTest {
    static var bundle: AppBundle {
        var bundle = DiceApp.bundle
        // A property list without any of the framework's keys.
        bundle.infoPlist = bundle.entitlements ?? bundle.infoPlist
        return bundle
    }
}

let appWithoutKeyIsEnded = Scenario(
    "An app that does not declare the framework is ended by its first call", .tags(.discovery), .covers("P1"),
    .crashes(because: "the Info.plist has no NSAccessorySetupSupports")
) { lab in
    _ = try await lab.phone.launch(SilentApp.self)
    _ = ASAccessorySession()
}

let appIsEndedForSSIDAndPrefix = Scenario(
    "An app that asks for an SSID and a prefix at once is ended", .tags(.discovery), .covers("D3"),
    .crashes(because: "has both ssid and ssidPrefix")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    _ = try await app.addDie(describedBy: .network(exact: "Die 7", prefix: "Die"))
}

let appIsEndedForUndeclaredService = Scenario(
    "An app that looks for an undeclared service is ended", .tags(.discovery), .covers("P2"),
    .crashes(because: "is not declared: add it to NSAccessorySetupBluetoothServices")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    _ = try await app.addDie(describedBy: .dice { $0.bluetoothServiceUUID = CBUUID(string: "180F") })
}

let blobWithoutMaskEndsTheApp = Scenario(
    "A descriptor with a blob and no mask ends the app", .tags(.discovery), .covers("D2"),
    .crashes(because: "needs a blob and a mask of equal length")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    _ = try await app.addDie(describedBy: .dice { $0.bluetoothServiceDataBlob = Data([1]) })
}

let foreignIdentifierEndsApp = Scenario(
    "An identifier that the app was not given ends the app", .tags(.robustness), .covers("C3"),
    .crashes(because: "which is not an accessory of")
) { lab in
    _ = try await lab.pairedDie()
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOn))
    _ = probe.central.retrievePeripherals(withIdentifiers: [UUID()])
}
