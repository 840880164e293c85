import Foundation
import HILAudit
import HILBluetoothHost
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel

// Attacks by packets: what is sent, and whether the accessory lives.
extension AuditScene {
    /// What a program or a daemon of the accessory did that was not asked for; nil for nothing.
    var trouble: String? { troubles.first?.headline }

    /// Collects such troubles from now on, in place of failures of their own.
    func watchTroubles() {
        isAttacked = true
        lab.recorder.collect { [troubles] in
            troubles.add($0)
            return true
        }
    }

    /// Lets a stranger send packets.
    ///
    /// - Parameters:
    ///   - words: What they are, as the object of a sentence.
    ///   - links: How often all of them are sent, each time on a new link.
    ///   - packets: Makes them for the accessory on a link, unless the order has packets already.
    func withstand(
        _ words: String, links: Int = 1, _ packets: (Stranger, DeviceAddress) async throws -> [AttackPacket]
    ) async throws -> AuditFinding {
        watchTroubles()
        let (stranger, device) = try await approach(.attacker)
        let ordered = order.packets.map { texts in texts.compactMap { AttackPacket($0) } }
        var list: [AttackPacket]
        if let ordered { list = ordered } else { list = try await packets(stranger, device) }
        guard !list.isEmpty else { return .doesNotApply("it has nothing to which they could be sent") }
        note("\(list.count) \(words)\(links > 1 ? ", on each of \(links) links" : "")")
        let visitor = Visitor(self, stranger, device)
        var attack = PacketAttack(self, by: visitor, list)
        let clock = ContinuousClock()
        let began = clock.now
        var loss = try await attack.run()
        for _ in 1..<max(1, links) where loss == nil && order.packets == nil {
            await stranger.disconnect(from: visitor.device)
            if let what = try await visitor.connect() {
                loss = PacketAttack.Loss(what: what, suspects: 0..<attack.sent)
                break
            }
            attack = PacketAttack(self, by: visitor, list)
            loss = try await attack.run()
        }
        await stranger.disconnect(from: visitor.device)
        note(
            "\(attack.sent) packets were sent in \((clock.now - began).short); the link was taken up \(visitor.links) times"
        )
        attacked = Array(list.prefix(attack.sent))
        if loss == nil, let what = try await lookForLife() {
            loss = PacketAttack.Loss(what: what, suspects: 0..<attack.sent)
        }
        guard let loss else { return .holds }
        keep(loss.suspects.count)
        return lose("\(loss.what), after \(loss.suspects.upperBound) \(words)")
    }

    /// The accessory is lost, so that its owner's journey cannot go on.
    func lose(_ what: String) -> AuditFinding {
        isLost = true
        // What the person was to do with it cannot be done any more.
        lab.phone.person.forget()
        return .breached(what)
    }

    /// A stranger who is connected to the accessory.
    ///
    /// - Returns: Nil if it does not advertise any more, or takes no link.
    func approachIfHeard() async throws -> (Stranger, DeviceAddress)? {
        let stranger = try await appear(.attacker)
        do {
            let device = try await stranger.hear(within: .seconds(3)).device.address
            try await stranger.connect(to: device)
            return (stranger, device)
        } catch is TimedOut { return nil } catch is StackFailure { return nil }
    }

    /// Whether the accessory can be found by somebody new.
    func isHeard() async throws -> Bool { try await isHeard(by: try await appear(.attacker)) }

    func isHeard(by stranger: Stranger) async throws -> Bool {
        do {
            _ = try await stranger.hear(within: .seconds(3))
            return true
        } catch is TimedOut { return false }
    }

    /// Waits until the accessory ends the link of one of these strangers.
    ///
    /// - Returns: How long that took; nil if none ended in time.
    func firstEnd(of strangers: [(Stranger, DeviceAddress)], within limit: Duration) async throws -> Duration? {
        let clock = ContinuousClock()
        let began = clock.now
        return await withTaskGroup(of: Duration?.self) { group in
            for (stranger, device) in strangers {
                group.addTask {
                    let isEnded: Void? = try? await stranger.next("the end of its link", within: limit) {
                        if case .disconnected(device, _, _) = $0 { () } else { nil }
                    }
                    return isEnded.map { clock.now - began }
                }
            }
            defer { group.cancelAll() }
            for await waited in group { if let waited { return waited } }
            return nil
        }
    }

    /// Looks with a stranger who has not attacked whether the accessory lives: it advertises, takes a link and answers.
    ///
    /// - Returns: What it no longer does; nil if it lives.
    func lookForLife() async throws -> String? {
        let witness = try await appear(.attacker)
        defer { Task { await witness.leave() } }
        let device: DeviceAddress
        do { device = try await witness.hear().device.address } catch is TimedOut {
            return trouble ?? "it no longer advertises"
        }
        do {
            try await witness.connect(to: device)
            _ = try await witness.request(.readRequest(handle: 0xFEFF), of: device)
        } catch let failure as StackFailure { return trouble ?? "it no longer serves a link: \(failure)" }
        await witness.disconnect(from: device)
        return trouble
    }

    /// Writes the packets that were sent beside the other evidence.
    ///
    /// - Parameter suspects: How many of the last ones are suspected.
    private func keep(_ suspects: Int) {
        guard let path = lab.packetsFile, let attacked else { return }
        let list = PacketList(attacked, suspects: suspects)
        do throws(SystemError) { try replaceFile(path, with: list.text.utf8) } catch {
            note("the packets were not kept: \(error)")
        }
    }

    /// The owner's journey did not pass after packets that the accessory survived.
    func ownerFailed(_ error: any Error) { ownerFailed(trouble ?? Failure(error).message) }

    func ownerFailed(_ what: String) {
        keep(attacked?.count ?? 0)
        lastFinding = .breached("it survives, but its owner's journey does not pass afterwards: \(what)")
    }
}

extension HostPersonality {
    /// A stranger who asks for nothing by itself.
    static let attacker: HostPersonality = {
        var habits = HostPersonality.stranger
        habits.link.mtuMoment = .never
        habits.link.greeting = nil
        return habits
    }()
}
