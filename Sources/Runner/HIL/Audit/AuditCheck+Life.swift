import HILBluetoothHost
import RadioModel
import RigModel

// What is left of an owner.
extension AuditCheck {
    static let life = [
        AuditCheck("life.reset", .setUp) { scene in
            guard let (device, _) = try await scene.ownersBond() else {
                return .doesNotApply("its owner has no bond with it")
            }
            guard try await scene.factoryReset() else { return .doesNotApply("nothing says how it is reset") }
            if let health = try await scene.accessoryHealth() {
                scene.note(
                    "after a factory reset its board has \(health.bonds.count) bonds, \(health.networks.count) networks"
                )
                if !health.bonds.isEmpty { return .breached("a factory reset leaves a bond") }
                if !health.networks.isEmpty { return .breached("a factory reset leaves a network") }
            }
            guard try await !scene.ownersKeyWorks(with: device) else {
                return .breached("after a factory reset the key of the owner before still works")
            }
            return .holds
        },
        AuditCheck("life.owners", .new) { scene in
            let (before, device) = try await scene.approach()
            let pairing = try await before.pair(with: device)
            guard scene.hasPaired(pairing, "as the owner before") else {
                return .doesNotApply("nobody but the phone of the journey pairs with it")
            }
            await before.disconnect(from: device)
            guard try await scene.factoryReset() else { return .doesNotApply("nothing says how it is reset") }
            try await scene.finishJourney()
            try await scene.ownerLeaves()
            guard let heard = try await scene.hear(by: before) else { return .holds }
            do { try await before.connect(to: heard.device.address) } catch StackFailure.bondRefused {
                scene.note("the key of the owner before is refused")
                return .holds
            }
            return .breached("the key of the owner before still works for the next owner's accessory")
        },
    ]
}
