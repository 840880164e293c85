import AccessorySetupKit
import CoreBluetooth
import HIL
import Synchronization

/// A lamp that keeps a bond only if its setup had an end. Until then the phone has a bond, and the lamp may have none.
package let oneSidedBond = Scenario(
    "An app goes on with a lamp that has forgotten the bond of a setup that was cut off",
    .explores(recovery: { lab in try await lab.setUpBondedLamp() }), over: Build.ofApp
) { lab, build in
    BondingApp.build = build
    let isSetUp = Mutex(false)
    let lamp = try await lab.accessory.powerOn(
        .lamp(pairing: .justWorks, needs: .encrypted) { lamp in
            lamp.services[0].characteristics[0] = lamp.services[0].characteristics[0]
                .onWrite { _, _ in isSetUp.withLock { $0 = true } }
        })
    Task { [events = lamp.events] in
        for try await event in events.events() {
            if case .disconnected = event, !isSetUp.withLock({ $0 }) { try await lamp.forgetBonds() }
        }
    }
    try await lab.setUpBondedLamp()
    lab.expect(isSetUp.withLock { $0 }, "the lamp is set up")
}

/// An app that continues, when it is opened again, with the lamp that it has.
private final class BondingApp: LampApp {
    static var build = Build.mended

    func setUp() async throws {
        do { try await continueSetup() } catch let error as CBError where error.code == .peerRemovedPairingInformation {
            // A faulty app shows the error each time.
            guard BondingApp.build == .mended, let old = session.accessories.first else { throw error }
            try await session.removeAccessory(old)
            try await continueSetup()
        }
    }

    private func continueSetup() async throws { try await setUpOrContinue { try await link.write(Data([1])) } }
}

extension Lab {
    fileprivate func setUpBondedLamp() async throws {
        let app = try await phone.launch(BondingApp.self)
        app.pairs = true
        phone.person.will(.pick("Lamp"))
        try await step("set up", within: .seconds(5)) { try await app.setUp() }
        app.link.disconnect()
    }
}
