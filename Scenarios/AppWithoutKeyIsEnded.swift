import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// An app whose Info.plist says nothing of accessories.
private final class SilentApp: AppUnderTest {
    static var bundle: AppBundle {
        var bundle = DiceApp.bundle
        // A property list without any of the framework's keys.
        bundle.infoPlist = bundle.entitlements ?? bundle.infoPlist
        return bundle
    }
}

/// The first call of the framework ends an app that does not declare it.
let appWithoutKeyIsEnded = Scenario(
    "An app that does not declare the framework is ended by its first call", .tags(.discovery), .covers("P1"),
    .crashes(because: "the Info.plist has no NSAccessorySetupSupports")
) { lab in
    _ = try await lab.phone.launch(SilentApp.self)
    _ = ASAccessorySession()
}
