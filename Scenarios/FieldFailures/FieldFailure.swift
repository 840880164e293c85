import AccessorySetupKit
import CoreBluetooth
import HIL

/// Whether an accessory misbehaves as the report says, or was mended.
///
/// A field failure is a scenario over both: the app's need is met with the mended accessory, and not with the broken
/// one. A team runs the mended case against its own accessory.
enum Firmware: String, CaseIterable {
    case broken, mended

    static var axis: Axis<Firmware> { Axis("firmware", allCases) }
}

/// Whether an app misbehaves as the report says, or was mended. The accessory does what it should.
enum AppVersion: String, CaseIterable {
    case broken, mended

    static var axis: Axis<AppVersion> { Axis("app", allCases) }
}
