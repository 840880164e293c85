import AccessorySetupKit
import CoreBluetooth
import HIL

/// An app for accessories of many makers with the service FF00: it sets one up with the picker.
@MainActor
final class GadgetApp: AppUnderTest {
    nonisolated static let service = "FF00"

    nonisolated static var bundle: AppBundle {
        // The folder three levels above this file.
        let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        return AppBundle(identifier: "com.example.gadgets", folder: "\(checkout)/Fixtures/GadgetApp")
    }

    let session = ASAccessorySession()
    let told = EventLog<ASAccessoryEventType>()
    private(set) var accessory: ASAccessory?
    private(set) var failure: (any Error)?

    init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated {
                if event.eventType == .accessoryAdded { self?.accessory = event.accessory }
                if event.eventType == .pickerSetupFailed { self?.failure = event.error }
                self?.told.append(event.eventType)
            }
        }
    }

    /// Shows the picker, and returns the accessory that was set up.
    ///
    /// - Parameter pairing: Whether the picker pairs.
    func add(pairing: Bool = true, _ describe: (ASDiscoveryDescriptor) -> Void = { _ in }) async throws -> ASAccessory {
        try await told.next(.event(.activated), within: .seconds(5))
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Self.service)
        if pairing { descriptor.supportedOptions = .bluetoothPairingLE }
        describe(descriptor)
        guard let picture = UIImage(named: "gadget") else { throw ASError(.invalidRequest) }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)])
        guard let accessory else { throw ASError(.unknown) }
        return accessory
    }
}

extension Peripheral {
    /// A lamp: its brightness can be read, written and notified; its name is protected.
    static func lamp(
        named name: String = "Lamp 7", pairing: PeripheralPairing = .numericComparison,
        _ change: (inout Peripheral) -> Void = { _ in }
    ) -> Peripheral {
        var lamp = peripheral(
            named: name,
            services: [
                .service(
                    GadgetApp.service,
                    [
                        .characteristic(
                            "FF01", [.read, .write, .notify], value: [50],
                            descriptors: [.userDescription("Brightness in percent")]),
                        .characteristic("FF02", [.read, .write], needs: .encrypted, value: Array("Lamp".utf8)),
                    ])
            ], pairing: pairing)
        change(&lamp)
        return lamp
    }
}

extension Lab {
    /// Switches a lamp on, and lets the app set it up and connect to it.
    func connectedLamp(
        _ lamp: Peripheral = .lamp(), pairing: Bool = true
    ) async throws -> (lamp: RunningPeripheral, app: GadgetApp, probe: CentralProbe, peripheral: CBPeripheral) {
        let on = try await accessory.powerOn(lamp)
        let app = try await phone.launch(GadgetApp.self)
        phone.person.will(.pick(lamp.name))
        let accessory = try await step("pick", within: .seconds(10)) { try await app.add(pairing: pairing) }
        let identifier = try require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
        let probe = CentralProbe()
        let peripheral = try await step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
        return (on, app, probe, peripheral)
    }
}
