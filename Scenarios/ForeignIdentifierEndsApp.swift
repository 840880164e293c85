import CoreBluetooth
import DiceApp
import Foundation
import HIL

/// An app that asks for a peripheral that it was never authorised for is ended, as on iOS.
let foreignIdentifierEndsApp = Scenario(
    "An identifier that the app was not given ends it", .tags(.robustness), .covers("C3"),
    .crashes(because: "which is no accessory of")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    _ = try await lab.pairedDie(named: "Die 7")
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOn))
    _ = probe.central.retrievePeripherals(withIdentifiers: [UUID()])
}
