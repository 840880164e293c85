import HILAudit
import HILTiming
import RadioModel

// What the accessory survives, and still serves its owner.
extension AuditCheck {
    /// How many prepared writes are sent on each link, and how often.
    private static let preparedWrites = (count: 500, links: 2)
    /// How many values of different lengths are written.
    private static let mostValues = 3000
    /// How many links begin and end.
    private static let connections = 1000
    /// How many strangers come at most. A virtual air has eight controllers for them and the accessory's stack.
    private static let strangers = 6
    /// How long strangers who do nothing may keep its last link.
    private static let patience = Duration.seconds(40)
    /// How long one kind of attack may take.
    private static let limit = Duration.seconds(45)

    static let robustness =
        AttackLayer.allCases.map { layer in
            AuditCheck("robustness.\(layer.rawValue)", .new) { scene in
                try await scene.withstand(layer.words) { stranger, device in
                    let last = (try? await stranger.attributes(of: device).map(\.handle).max()) ?? 32
                    scene.record(seed: scene.order.seed)
                    scene.note("packets for handles up to \(last)")
                    return AttackGenerator.packets(
                        scene.order.count, for: layer, seed: scene.order.seed, lastHandle: last)
                }
            }
        } + [
            AuditCheck("robustness.lengths", .new) { scene in
                try await scene.withstand("writes") { stranger, device in
                    let values = try await AttributeMap.read(of: device, by: stranger).values
                    let handles = values.filter { $0.isWritable || $0.takesCommands }.map(\.handle)
                    return AttackPacket.values(for: handles, most: min(scene.order.count, mostValues))
                }
            },
            AuditCheck("robustness.longWrites", .new) { scene in
                try await scene.withstand("prepared writes", links: preparedWrites.links) { stranger, device in
                    let values = try await AttributeMap.read(of: device, by: stranger).values
                    let handles = values.filter(\.isWritable).map(\.handle)
                    return AttackPacket.preparedWrites(for: handles, count: preparedWrites.count)
                }
            },
            AuditCheck("robustness.connections", .new) { scene in
                scene.watchTroubles()
                let (stranger, device) = try await scene.approach(.attacker)
                let visitor = Visitor(scene, stranger, device)
                let end = ContinuousClock.now + limit
                var links = 1
                while links < connections, ContinuousClock.now < end {
                    await stranger.disconnect(from: visitor.device)
                    links += 1
                    if let what = try await visitor.connect() { return scene.lose("\(what), after \(links) links") }
                }
                await stranger.disconnect(from: visitor.device)
                scene.note("\(links) links began and ended")
                guard let what = try await scene.lookForLife() else { return .holds }
                return scene.lose("\(what), after \(links) links")
            },
            AuditCheck("robustness.occupied", .new) { scene in
                scene.watchTroubles()
                scene.strangersStay = true
                var stayers = [try await scene.approach(.attacker)]
                if scene.isOnBench {
                    scene.note("a stranger is connected, and does nothing")
                    if try await scene.isHeard(by: stayers[0].0) { return .furtherLinks }
                } else {
                    while stayers.count < strangers, let one = try await scene.approachIfHeard() { stayers.append(one) }
                    scene.note("\(stayers.count) strangers are connected, and do nothing")
                    if try await scene.isHeard() { return .holds }
                }
                scene.note("it takes no further link")
                guard let waited = try await scene.firstEnd(of: stayers, within: patience) else {
                    let who = stayers.count == 1 ? "a stranger who does" : "\(stayers.count) strangers who do"
                    // When they are gone, it serves its owner.
                    scene.strangersStay = false
                    return .breached("\(who) nothing can keep all its links")
                }
                scene.note("it ended the link of a stranger after \(waited.short)")
                return .holds
            },
        ]
}

extension AuditFinding {
    /// A single controller has one link with a device.
    fileprivate static let furtherLinks = outOfReach(
        "it takes further links while a stranger has one, and a bench has one controller for strangers",
        instead: "audit it on virtual boards, where six strangers come")
}
