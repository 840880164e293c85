import HILAudit
import HILBluetoothHost
import HILTiming

// What the accessory hears of others.
extension AuditCheck {
    /// How many advertisements there are at most, and how long each is on the air.
    private static let advertisements = (count: 600, each: Duration.milliseconds(50))

    static let hearing = [
        AuditCheck("robustness.advertisements", .new) { scene in
            scene.watchTroubles()
            scene.record(seed: scene.order.seed)
            let contents = AttackAdvertisement.contents(
                min(scene.order.count, advertisements.count), seed: scene.order.seed)
            let stranger = try await scene.appear(.attacker)
            let loss = try await stranger.offer(contents, each: advertisements.each, by: scene.lab.clock) {
                scene.trouble
            }
            if let loss { return scene.lose("\(loss.what), after \(loss.count) advertisements of others") }
            scene.note(
                "\(contents.count) advertisements of others were on the air; whether it listens, nobody can tell")
            guard let what = try await scene.lookForLife() else { return .holds }
            return scene.lose("\(what), after \(contents.count) advertisements of others")
        }
    ]
}

extension Stranger {
    /// The sets of advertisements, which the stack does not use itself: of Bluetooth 4, and extended ones.
    private static let sets: (old: UInt8, extended: UInt8) = (0xE0, 0xE1)

    /// Advertises one content after the other, until something has happened.
    ///
    /// - Parameters:
    ///   - each: How long each is on the air.
    ///   - happened: Says what has happened; nil for nothing.
    /// - Returns: What happened, and after how many; nil if nothing did.
    /// - Throws: `StackFailure` if its controller refuses them.
    func offer(
        _ contents: [[UInt8]], each: Duration, by clock: any Clock<Duration>,
        until happened: @MainActor () -> String?
    ) async throws -> (what: String, count: Int)? {
        var parameters = ExtendedAdvertisingParameters()
        parameters.properties = [.scannable, .legacy]
        parameters.interval = 32...32
        parameters.ownAddress = .publicAddress
        try await order(.leSetExtendedAdvertisingParameters(Self.sets.old, parameters))
        parameters.properties = []
        try await order(.leSetExtendedAdvertisingParameters(Self.sets.extended, parameters))
        var isOn: Set<UInt8> = []
        for (count, content) in contents.enumerated() {
            let set = content.count <= AttackAdvertisement.shortest ? Self.sets.old : Self.sets.extended
            for command in HCICommand.leSetExtendedAdvertisingData(set, content) { try await order(command) }
            if isOn.insert(set).inserted {
                try await order(.leSetExtendedAdvertisingEnable(true, [EnabledAdvertisingSet(set)]))
            }
            try await clock.sleep(for: each)
            if let what = happened() { return (what, count + 1) }
        }
        try await order(.leSetExtendedAdvertisingEnable(false, isOn.map { EnabledAdvertisingSet($0) }))
        return nil
    }

    /// Gives its controller a command.
    private func order(_ command: HCICommand) async throws {
        guard case .command(let status, _) = try await driver.perform(.command(command)), status == .success else {
            throw StackFailure.invalid("a stranger's controller refuses \(command)")
        }
    }
}
