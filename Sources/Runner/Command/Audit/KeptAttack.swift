import HIL
import HILAudit
import HILExecution

/// The shortest packets of a breach, as the source of a scenario that fails until it is mended.
struct KeptAttack {
    let source: KeptSource

    /// - Parameter check: The check of an audit: `lampIsSetUp~robustness.attributes[build=weak]`.
    init?(_ check: PlannedScenario, _ packets: [AttackPacket]) {
        let parts = check.named.name.split(separator: "~", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let (target, control) = (parts[0], parts[1])
        let accessory = check.named.accessory
        // A name for a constant: without the dot, or the type.
        let base = target.split(separator: ".").last.map(String.init) ?? target
        let attacked = accessory.map(KeptAttack.settingUp) ?? target
        let label = check.oneCase.label
        let place = label.isEmpty ? "" : ", where: \(KeptSource.literal(label))"
        let name = base + KeptSource.words(label) + KeptSource.words(control)
        let texts = packets.map { "        \(KeptSource.literal($0.text)),  // \($0)\n" }.joined()
        source = KeptSource(
            name: name,
            text: """
                import HIL

                // Found by `hil audit \(target)\(label.isEmpty ? "" : "[\(label)]") --only \(control)`. It fails until this is mended.
                let \(name) = Scenario(
                    \(KeptSource.literal("\(check.title), after the packets of an audit")),
                    attacking: \(attacked)\(place), control: \(KeptSource.literal(control)),
                    packets: [
                \(texts)    ])

                """)
    }

    /// The set-up of an accessory by an app of the harness, in Swift.
    private static func settingUp(_ accessory: NamedAccessory) -> String {
        let expected = accessory.expectations == nil ? "" : ", expecting: \(accessory.constant)"
        return ".settingUp(\(accessory.fullName), named: \(KeptSource.literal(accessory.name))\(expected))"
    }
}

extension Command {
    /// Writes the shortest packets of each breach as a scenario that fails until it is mended.
    static func keepAttacks(on checks: [PlannedScenario], of run: RunFolder, in folder: String) throws {
        for check in checks {
            guard let packets = PacketMinimiser.found(in: run.file(check.slug)),
                let kept = KeptAttack(check, packets)
            else { continue }
            try keep(kept.source, in: folder)
        }
    }
}
