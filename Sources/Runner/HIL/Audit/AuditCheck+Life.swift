import HILBluetoothHost
import RadioModel
import RigModel

// What is left of an owner.
extension AuditCheck {
    static let life = [
        AuditCheck("life.reset", .new) { scene in
            guard scene.canReset else { return .doesNotApply("nothing says how it is reset") }
            try scene.requireOwnersWrites()
            let fresh = try await NewOwnersView.take(in: scene, "before its owner came")
            // It takes its owner only when it has forgotten the stranger.
            if fresh?.hasPaired == true { _ = try await scene.factoryReset() }
            try await scene.finishJourney()
            let bond = try await scene.ownersBond()
            try await scene.ownerLeaves()
            _ = try await scene.factoryReset()
            if let health = try await scene.accessoryHealth() {
                scene.note(
                    "after a factory reset its board has \(health.bonds.count) bonds, \(health.networks.count) networks"
                )
                if !health.bonds.isEmpty { return .breached("a factory reset leaves a bond") }
                if !health.networks.isEmpty { return .breached("a factory reset leaves a network") }
            }
            if let bond, try await scene.ownersKeyWorks(with: bond.device) {
                return .breached("after a factory reset the key of the owner before still works")
            }
            let left = try await NewOwnersView.take(in: scene, "after the reset")
            if left?.hasPaired == true { _ = try await scene.factoryReset() }
            return scene.judge(fresh, left, hasBond: bond != nil)
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

extension AuditScene {
    /// Whether anything says how the accessory is reset.
    var canReset: Bool {
        expectations.reset != nil || lab.accessory.hookRunners.contains { $0.hooks[.factoryReset] != nil }
    }

    /// Judges what a factory reset has left of what the owner wrote.
    ///
    /// - Parameter hasBond: Whether the owner had a bond with the accessory.
    fileprivate func judge(_ fresh: NewOwnersView?, _ left: NewOwnersView?, hasBond: Bool) -> AuditFinding {
        let map = (left ?? fresh)?.map.values ?? []
        var writes = ownersWrites.all.filter { write in
            // Subscriptions are no values.
            !map.contains { $0.configuration == write.handle }
        }
        if lab.homeNetwork.wasOpened {
            writes += [lab.homeNetwork.ssid, lab.homeNetwork.passphrase].map {
                OwnersWrites.Write(handle: 0, value: Array($0.utf8))
            }
        }
        guard !writes.isEmpty else {
            note("its owner wrote no value, so that none can be left")
            return hasBond ? .holds : .doesNotApply("its owner has no bond with it, and wrote no value")
        }
        guard let fresh, let left else {
            return .outOfReach(
                "nobody hears it \(fresh == nil ? "before its owner comes" : "after a factory reset"), so that nobody reads "
                    + "what is left of its owner's values",
                instead: "let it advertise then, in the build that is audited")
        }
        let values = LeftValues(writes: writes, fresh: fresh.values, left: left.values)
        let name = { (handle: UInt16) in map.first { $0.handle == handle }?.name ?? "\(handle)" }
        note("\(left.values.count) values were searched for \(writes.count) that its owner wrote")
        if let handle = values.handles.first {
            return .breached("a factory reset leaves what its owner wrote: the next owner reads it in \(name(handle))")
        }
        let unread = values.unread(of: Set(map.filter(\.isReadable).map(\.handle)))
        guard unread.isEmpty else {
            return .outOfReach(
                "a new owner could not read \(unread.map(name).joined(separator: ", ")), which its owner wrote, both before "
                    + "the owner came and after the reset",
                instead:
                    "let a stranger pair with it when it is new, in the build that is audited, or read what is left "
                    + "in a scenario with a second owner")
        }
        return .holds
    }
}
