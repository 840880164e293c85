import AccessorySetupKit
import CoreBluetooth
import HIL

/// The app for lamps with another property list.
@MainActor
private class GadgetAppVariant {
    let app: GadgetApp
    init() async throws { app = try await GadgetApp() }

    nonisolated static func bundle(_ propertyList: String) -> AppBundle {
        var bundle = GadgetApp.bundle
        bundle.infoPlist = "\(bundle.resources)/\(propertyList)"
        return bundle
    }
}

private final class LowerCaseApp: GadgetAppVariant, AppUnderTest {
    nonisolated static var bundle: AppBundle { bundle("LowerCase.plist") }
}

private final class NamelessApp: GadgetAppVariant, AppUnderTest {
    nonisolated static var bundle: AppBundle { bundle("NoNames.plist") }
}

/// A service in lower case in the property list: some versions of iOS compare the text.
///
/// Report: https://github.com/OpenStrap/edge/pull/238
let servicesAreInUpperCase = Scenario(
    "The services in an app's property list are in upper case", .tags("field", .discovery), .covers("P5", "P2"),
    over: AppVersion.axis
) { lab, version in
    try await lab.accessory.powerOn(.lamp())
    let app =
        version == .broken
        ? try await lab.phone.launch(LowerCaseApp.self).app : try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    _ = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    try await lab.expect(version, "the phone does not warn") {
        !lab.phone.log.events.contains { if case .warning("P5", _) = $0.kind { true } else { false } }
    }
}

/// A descriptor that looks for a name, and a property list without the key for names.
///
/// Report: https://github.com/OpenStrap/edge/pull/238
let missingKeyEndsTheApp = Scenario(
    "An app that looks for a name is ended if its property list has no key for names", .tags("field", .discovery),
    .covers("P3"), .crashes(because: "add it to NSAccessorySetupBluetoothNames")
) { lab in
    try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(NamelessApp.self).app
    _ = try await app.add { $0.bluetoothNameSubstring = "Lamp" }
}
