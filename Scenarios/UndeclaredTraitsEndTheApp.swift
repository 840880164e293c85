import AccessorySetupKit
import CoreBluetooth
import DiceApp
import HIL
import Phone

/// What a descriptor asks for has to be declared in the app's Info.plist; the system ends an app that did not.
let undeclaredTraitsEndTheApp = Scenario(
    "A trait that the app does not declare ends it when it shows its picker", .tags(.discovery),
    .covers("P2", "P3", "P4"), .crashes(because: "is not declared")
) {
    Axis(\.by, DiscoveryTrait.allCases)
} run: { lab, conditions in
    let app = try await lab.phone.launch(DiceApp.self)
    let item = try app.item { descriptor in
        switch conditions.by {
        case .service, .serviceData: descriptor.bluetoothServiceUUID = CBUUID(string: "180F")
        case .company: descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0x004C)
        case .name: descriptor.bluetoothNameSubstring = "Cube"
        }
    }
    try await app.session.showPicker(for: [item])
}
