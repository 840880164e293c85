import HIL

/// An app without AccessorySetupKit: the person lets it use all of Bluetooth, and it may be a peripheral.
final class OpenGadgetApp: AppUnderTest {
    static var bundle: AppBundle {
        let folder = GadgetApp.bundle.resources
        return AppBundle(identifier: "com.example.open-gadgets", infoPlist: "\(folder)/Open.plist", resources: folder)
    }

    init() async throws {}
}
