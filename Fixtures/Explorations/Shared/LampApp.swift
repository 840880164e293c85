import AccessorySetupKit
import CoreBluetooth
import HIL

/// An app that sets a lamp up: it shows the picker, and talks to the lamp over its link.
@MainActor
class LampApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let checkout = #filePath.components(separatedBy: "/Fixtures/Explorations/")[0]
        return AppBundle(
            identifier: "com.example.lamps", infoPlist: "\(checkout)/Fixtures/Explorations/App/Info.plist",
            resources: "\(checkout)/Fixtures/GadgetApp")
    }

    let session = ASAccessorySession()
    /// The lamp is found and connected without pairing, unless the app wants it.
    var pairs = false
    var link = LampLink()

    required init() async throws {
        await withCheckedContinuation { continuation in
            session.activate(on: .main) { event in
                if event.eventType == .activated { continuation.resume() }
            }
        }
    }

    /// The lamp that the app may use; nil for none.
    var lamp: UUID? { session.accessories.first?.bluetoothIdentifier }

    /// Lets the person pick a lamp.
    func add() async throws -> UUID {
        guard let picture = UIImage(named: "gadget") else { throw LampError.noPicture }
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "FF00")
        if pairs { descriptor.supportedOptions = .bluetoothPairingLE }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)])
        guard let lamp else { throw LampError.nothingAdded }
        return lamp
    }

    /// Adds a lamp, or goes on with the one that was added in an earlier launch, as far as something is left to do.
    ///
    /// - Parameter rest: What is left when the lamp is connected.
    func setUpOrContinue(_ rest: () async throws -> Void) async throws {
        if UserDefaults.standard.bool(forKey: "isSetUp") { return }
        let lamp = if let lamp { lamp } else { try await add() }
        try await link.connect(to: lamp)
        try await link.subscribe()
        try await rest()
        UserDefaults.standard.set(true, forKey: "isSetUp")
    }

    /// Writes a command, and returns the lamp's answer to it.
    func tell(_ command: String) async throws -> String {
        // A command is longer than the room in the smallest packet.
        let bytes = Data(command.utf8)
        for start in stride(from: 0, to: bytes.count, by: 20) {
            try await link.write(bytes.dropFirst(start).prefix(20))
        }
        return String(decoding: try await link.nextAnswer(), as: UTF8.self)
    }
}

extension Lab {
    /// Launches an app, and lets its person pick the lamp that is there.
    func addedLamp(_ link: LampLink = LampLink()) async throws -> LampApp {
        let app = try await phone.launch(LampApp.self)
        app.link = link
        phone.person.will(.pick("Lamp"))
        let lamp = try await step("add", within: .seconds(4)) { try await app.add() }
        try await step("connect", within: .seconds(3)) {
            try await app.link.connect(to: lamp)
            try await app.link.subscribe()
        }
        return app
    }
}
