import HILAudit
import HILBluetoothHost
import HILTiming
import RadioModel

/// A stranger who sends packets as they are, and sees whether the accessory lives on.
///
/// A link that the accessory ends is taken up again: a device may end a link on which nonsense comes.
@MainActor
final class PacketAttack {
    /// The accessory does not live on.
    struct Loss: Sendable {
        /// What it no longer does, as the rest of a sentence about it.
        let what: String
        /// The packets since it was last seen alive, by their numbers from 0.
        let suspects: Range<Int>
    }

    private let scene: AuditScene
    private let visitor: Visitor
    private let packets: [AttackPacket]
    /// What came on the link.
    private let received = EventLog<L2CAPFrame>(keepingAtMost: 4096)
    private var firstSuspect = 0
    private var probes = 0
    /// Whether the accessory answers nothing on its link.
    private var isBearerLost = false
    /// How many packets were sent.
    private(set) var sent = 0

    /// After how many packets it looks whether the accessory lives.
    private static let stretch = 64
    /// How long an answer is waited for that a request gets.
    private static let answerLimit = Duration.milliseconds(40)
    /// How long a sign of life may take on a link that may be useless.
    private static let bearerLimit = Duration.milliseconds(100)
    /// How long a sign of life may take on a new link.
    private static let lifeLimit = Duration.seconds(5)
    /// How long all packets may take.
    private static let limit = Duration.seconds(60)

    /// - Parameter visitor: Its stranger is connected.
    init(_ scene: AuditScene, by visitor: Visitor, _ packets: [AttackPacket]) {
        (self.scene, self.visitor, self.packets) = (scene, visitor, packets)
    }

    private var stranger: Stranger { visitor.stranger }
    private var device: DeviceAddress { visitor.device }

    /// Sends all packets, as long as the time suffices and the accessory lives.
    ///
    /// - Returns: Nil if it lives.
    func run() async throws -> Loss? {
        await listen()
        let clock = ContinuousClock()
        let end = clock.now + PacketAttack.limit
        while sent < packets.count, clock.now < end {
            try Task.checkCancellation()
            await sendStretch()
            if let what = try await lookForLife() { return loss(what) }
            firstSuspect = sent
        }
        return nil
    }

    private func loss(_ what: String) -> Loss { Loss(what: what, suspects: firstSuspect..<sent) }

    /// Sends the next packets; fewer if the link ends.
    private func sendStretch() async {
        for packet in packets[sent...].prefix(PacketAttack.stretch) {
            guard await isLinked else { return }
            let mark = received.mark
            await stranger.driver.act { [device] in
                $0.send(raw: packet.bytes, continues: packet.continues, to: device, at: $1)
            }
            sent += 1
            guard let question = packet.question, await !isAnswered(question, since: mark) else { continue }
            // Most servers close the bearer after a packet that breaks a rule, and keep the link for seconds.
            isBearerLost = await !answersProbe(within: PacketAttack.bearerLimit)
            if isBearerLost { return }
        }
    }

    private var isLinked: Bool {
        get async { await stranger.driver.ask { [device] in $0.connected.contains(device) } }
    }

    /// Waits for an answer of the attribute protocol, for a short time: not every server answers everything.
    private func isAnswered(_ question: ATTOpcode, since mark: EventLog<L2CAPFrame>.Mark) async -> Bool {
        let answers = EventPattern<L2CAPFrame, Void>("an answer") { AttackPacket.answers($0, question) ? () : nil }
        let answer: Void? = try? await received.first(
            answers, since: mark, within: PacketAttack.answerLimit, waitingFor: "an answer"
        ).value
        return answer != nil
    }

    // MARK: Signs of life

    /// Looks whether the accessory lives: over the link, or over a new one.
    ///
    /// - Returns: What it no longer does; nil if it lives.
    private func lookForLife() async throws -> String? {
        if let trouble = scene.trouble { return trouble }
        if await isLinked, !isBearerLost, await answersProbe(within: PacketAttack.bearerLimit) { return scene.trouble }
        isBearerLost = false
        await stranger.disconnect(from: device)
        if let what = try await visitor.connect() { return what }
        if await answersProbe(within: PacketAttack.lifeLimit) { return scene.trouble }
        return scene.trouble ?? "it answers nothing on a new link"
    }

    /// Asks for an attribute with a number that no accessory has, so that the answer belongs to this question.
    private func answersProbe(within limit: Duration) async -> Bool {
        probes += 1
        let handle = UInt16(0xFE00 + probes % 0xF0)
        let probe = AttackPacket(ATTPDU.readRequest(handle: handle))
        let mark = received.mark
        await stranger.driver.act { [device] in $0.send(raw: probe.bytes, to: device, at: $1) }
        let answers = EventPattern<L2CAPFrame, Void>("a sign of life") { frame in
            guard frame.channel == .attributes, case .errorResponse(_, handle, _)? = try? ATTPDU.decode(frame.payload)
            else { return nil }
            return ()
        }
        let answer: Void? = try? await received.first(
            answers, since: mark, within: limit, waitingFor: "a sign of life"
        ).value
        return answer != nil
    }

    /// Keeps what comes, and lets only requests of the accessory through to the stranger's own host.
    private func listen() async {
        let tap = PacketTap { [received] packet in
            guard packet.direction == .received else { return .pass }
            received.append(packet.frame)
            let opcode = packet.frame.payload.first.flatMap(ATTOpcode.init)
            return packet.frame.channel == .attributes && opcode?.isForServer == true ? .pass : .drop
        }
        await stranger.driver.act { stack, _ in
            stack.tap(tap)
            return []
        }
    }
}
