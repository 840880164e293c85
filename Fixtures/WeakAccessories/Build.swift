import AccessorySetupKit
import CoreBluetooth
import HIL

/// Whether an accessory has its weakness.
enum Build: String, CaseIterable, Sendable {
    case weak, hardened

    static var axis: Axis<Build> { Axis("accessory", allCases) }
}

/// Sets a lamp up by the picker, and reads its name and writes its brightness, as its owner does.
@MainActor
final class OwnersApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let checkout = #filePath.components(separatedBy: "/Fixtures/WeakAccessories/")[0]
        return AppBundle(
            identifier: "com.example.lamps", infoPlist: "\(checkout)/Fixtures/Explorations/App/Info.plist",
            resources: "\(checkout)/Fixtures/GadgetApp")
    }

    let session = ASAccessorySession()

    required init() async throws {
        await withCheckedContinuation { continuation in
            session.activate(on: .main) { event in
                if event.eventType == .activated { continuation.resume() }
            }
        }
    }

    /// - Parameter pairing: Whether the picker pairs.
    func add(pairing: Bool) async throws -> UUID? {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: "FF00")
        if pairing { descriptor.supportedOptions = .bluetoothPairingLE }
        guard let picture = UIImage(named: "gadget") else { return nil }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)])
        return session.accessories.first?.bluetoothIdentifier
    }
}

extension Lab {
    /// What else an app does with a lamp.
    typealias Use = @MainActor (CBPeripheral, CentralProbe) async throws -> Void

    /// The owner's journey: the lamp is found, paired and used.
    ///
    /// - Parameters:
    ///   - pairs: Whether the picker pairs; nil if the lamp does.
    ///   - more: What else the app does with the lamp.
    func setUp(_ lamp: Peripheral, pairs: Bool? = nil, then more: @escaping Use = { _, _ in }) async throws {
        _ = try await accessory.powerOn(lamp)
        try await setUpLamp(named: lamp.name, pairs: pairs ?? (lamp.pairing != .none), then: more)
        if let network = lamp.networks.first { try await visit(network) }
    }

    /// The same with a lamp that is on.
    ///
    /// - Parameter command: What the app writes to it.
    func setUpLamp(
        named name: String, pairs: Bool = true, command: Data = Data([40]), then more: @escaping Use = { _, _ in }
    ) async throws {
        let app = try await phone.launch(OwnersApp.self)
        phone.person.will(.pick(.named(name)))
        let identifier = try await step("set up", within: .seconds(10)) { try await app.add(pairing: pairs) }
        let probe = CentralProbe()
        let peripheral = try await step("connect", within: .seconds(10)) {
            try await probe.connect(try self.require(identifier, "the lamp is added"))
        }
        peripheral.delegate = probe
        try await step("use", within: .seconds(30)) {
            try await probe.discover(peripheral)
            peripheral.writeValue(command, for: try peripheral.found("FF01"), type: .withResponse)
            try await probe.next(.written(nil))
            try await more(peripheral, probe)
        }
        probe.central.cancelPeripheralConnection(peripheral)
        try await probe.next(.disconnected)
    }
}
