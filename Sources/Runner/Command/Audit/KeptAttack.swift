import HILAudit
import HILExecution

/// The shortest packets of a breach, as the source of a scenario that fails until it is mended.
struct KeptAttack {
    let source: KeptSource

    /// - Parameter check: The check of an audit: `lampIsSetUp~robustness.attributes[build=weak]`.
    init?(_ check: PlannedScenario, _ packets: [AttackPacket]) {
        let parts = check.named.name.split(separator: "~", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        let (base, control) = (parts[0], parts[1])
        let label = check.oneCase.label
        let place = label.isEmpty ? "" : ", where: \(KeptSource.literal(label))"
        let name = base + KeptSource.words(label) + KeptSource.words(control)
        let texts = packets.map { "        \(KeptSource.literal($0.text)),  // \($0)\n" }.joined()
        source = KeptSource(
            name: name,
            text: """
                import HIL

                // Found by `hil audit \(base)\(label.isEmpty ? "" : "[\(label)]") --only \(control)`. It fails until this is mended.
                let \(name) = Scenario(
                    \(KeptSource.literal("\(check.title), after the packets of an audit")),
                    attacking: \(base)\(place), control: \(KeptSource.literal(control)),
                    packets: [
                \(texts)    ])

                """)
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
