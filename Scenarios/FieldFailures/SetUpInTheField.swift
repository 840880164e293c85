import AccessorySetupKit
import CoreBluetooth
import HIL

/// An app that takes the dismissal of its picker for a cancellation, unless it knows of its accessory by then.
///
/// Report: https://github.com/Avi0n/PocketMesh, whose `AccessorySetupKitService` takes it so.
let pickerEndsInEitherOrder = Scenario(
    "An app has its accessory, whether the picker's dismissal or its completion comes first",
    .tags("field", .pairing), .covers("K11"), over: AppVersion.axis, Axis.pickerEnd
) { lab, version, order in
    try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(DecidingApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let hasAccessory = try await lab.step("pick", within: .seconds(10)) { try await app.pick(version) }
    // Only one order shows the mistake.
    let shown = version == .broken && order == .dismissalThenCompletion ? AppVersion.broken : .mended
    try await lab.expect(shown, "the app knows that it has the accessory") { hasAccessory }
    lab.expect(app.session.accessories.map(\.state), equals: [.authorized], "the phone has authorised it in any case")
}

/// An app that decides at the end of its picker whether it has an accessory.
@MainActor
private final class DecidingApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { GadgetApp.bundle }

    let session = ASAccessorySession()
    private let decisions = EventLog<Bool>()
    private let isActive = EventLog<Bool>()
    private var version = AppVersion.mended
    private var hasCompleted = false
    private var wasDismissed = false
    private var accessory: ASAccessory?

    init() async throws {
        session.activate(on: .main) { [weak self] event in
            MainActor.assumeIsolated { self?.take(event) }
        }
    }

    private func take(_ event: ASAccessoryEvent) {
        switch event.eventType {
        case .activated: isActive.append(true)
        case .accessoryAdded: accessory = event.accessory
        case .pickerDidDismiss:
            wasDismissed = true
            // The broken app keeps its accessory only at the completion.
            if version == .broken { decisions.append(hasCompleted) } else { decideAtTheEnd() }
        default: break
        }
    }

    private func decideAtTheEnd() {
        if wasDismissed, hasCompleted { decisions.append(accessory != nil) }
    }

    /// Shows the picker, and returns whether the app takes it that it has an accessory.
    func pick(_ version: AppVersion) async throws -> Bool {
        self.version = version
        try await isActive.next(.event(true))
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: GadgetApp.service)
        guard let picture = UIImage(named: "gadget") else { throw ASError(.invalidRequest) }
        let item = ASPickerDisplayItem(name: "Lamp", productImage: picture, descriptor: descriptor)
        session.showPicker(for: [item]) { [weak self] error in
            MainActor.assumeIsolated {
                self?.hasCompleted = error == nil
                if version == .mended { self?.decideAtTheEnd() }
            }
        }
        return try await decisions.next(EventPattern("a decision") { $0 })
    }
}
