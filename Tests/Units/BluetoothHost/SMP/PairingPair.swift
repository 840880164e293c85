import RadioModel
import Testing

@testable import HILBluetoothHost

/// Two ends of a pairing on one link, with the people and the controllers of both.
struct PairingPair {
    /// A moment of a pairing.
    struct Moment {
        var sessions: [PairingRole: PairingSession]
        var now: Duration
        /// The packet that comes next, and its receiver; nil if a person or a controller comes next.
        var next: (to: PairingRole, packet: [UInt8])?
    }

    var sessions: [PairingRole: PairingSession] = [:]
    var now = Duration.seconds(100)
    var outputs: [PairingRole: [PairingSession.Output]] = [.initiator: [], .responder: []]
    /// The packets that were sent, with their senders.
    var sent: [(from: PairingRole, packet: [UInt8])] = []
    /// What the people do.
    var agrees = true
    var seesEqualNumbers = true
    /// What the person enters instead of the passkey that the other end shows.
    var wrongPasskey: UInt32?
    /// Whose person answers first if both are asked.
    var quickPerson: PairingRole?
    /// Changes a packet on its way; nil drops it.
    var tamper: ((PairingRole, [UInt8]) -> [UInt8]?)?
    /// Changes what an end does, before anybody sees it.
    var disguise: ((PairingRole, inout PairingSession, inout [PairingSession.Output]) -> Void)?
    /// Whether the initiator's controller tells of the encryption after the peer's next packets arrived.
    var isEncryptionEventLate = false
    var moments: [Moment] = []

    private var queue: [(to: PairingRole, packet: [UInt8])] = []
    private var questions: [(of: PairingRole, output: PairingSession.Output)] = []
    private var shownPasskey: UInt32?

    init(
        _ initiator: PairingFeatures = PairingFeatures(), _ responder: PairingFeatures = PairingFeatures(),
        seed: UInt64 = 1
    ) {
        sessions[.initiator] = PairingSession(Self.setup(.initiator, initiator, seed: seed))
        sessions[.responder] = PairingSession(Self.setup(.responder, responder, seed: seed))
    }

    static func setup(_ role: PairingRole, _ features: PairingFeatures, seed: UInt64 = 1) -> PairingSession.Setup {
        let isInitiator = role == .initiator
        return PairingSession.Setup(
            role: role, local: isInitiator ? SMPTest.initiator : SMPTest.responder,
            peer: isInitiator ? SMPTest.responder : SMPTest.initiator, identity: identity(of: role),
            features: features, random: SMPTest.random(seed: seed &* 2 &+ (isInitiator ? 0 : 1)))
    }

    static func identity(of role: PairingRole) -> DeviceIdentity {
        DeviceIdentity(
            resolvingKey: Value128(high: 7, low: role == .initiator ? 1 : 2),
            address: SMPTest.address(
                role == .initiator ? "9C:5A:81:AA:AA:AA" : "C0:5A:81:BB:BB:BB", isRandom: role == .responder))
    }

    /// Pairs until nothing moves any more.
    mutating func run() {
        act(.initiator) { $0.start(at: $1) }
        while step() {}
    }

    /// Goes on with a packet that one end has sent.
    mutating func deliver(_ packet: [UInt8], from role: PairingRole) {
        take(.send(packet), of: role)
        while step() {}
    }

    /// Lets one end do something.
    mutating func act(_ role: PairingRole, _ body: (inout PairingSession, Duration) -> [PairingSession.Output]) {
        guard var session = sessions[role] else { return }
        var results = body(&session, now)
        disguise?(role, &session, &results)
        sessions[role] = session
        outputs[role, default: []] += results
        for output in results { take(output, of: role) }
    }

    func result(_ role: PairingRole) -> PairingResult? {
        for case .completed(let result) in outputs[role] ?? [] { return result }
        return nil
    }

    func end(_ role: PairingRole) -> PairingEnd? {
        for case .failed(let end) in outputs[role] ?? [] { return end }
        return nil
    }

    /// The numbers that people were to compare.
    func compared(_ role: PairingRole) -> UInt32? {
        for case .compare(let number) in outputs[role] ?? [] { return number }
        return nil
    }

    /// The codes of the packets of one end, in their order.
    func codes(from role: PairingRole) -> [SMPCommand.Code] {
        sent.filter { $0.from == role }.compactMap { $0.packet.first.flatMap { SMPCommand.Code(rawValue: $0) } }
    }

    /// - Returns: False if nothing is left to do.
    private mutating func step() -> Bool {
        guard !queue.isEmpty || !questions.isEmpty else { return false }
        moments.append(Moment(sessions: sessions, now: now, next: queue.first))
        now += .milliseconds(10)
        if queue.isEmpty {
            let question = questions.remove(at: questions.firstIndex { $0.of == quickPerson } ?? 0)
            answer(question.output, of: question.of)
        } else {
            let (role, packet) = queue.removeFirst()
            if let packet = tamper.map({ $0(role.other, packet) }) ?? packet {
                act(role) { $0.receive(packet, at: $1) }
            }
        }
        return true
    }

    private mutating func take(_ output: PairingSession.Output, of role: PairingRole) {
        switch output {
        case .send(let packet):
            sent.append((role, packet))
            queue.append((role.other, packet))
        case .showPasskey(let passkey): shownPasskey = passkey
        // People are slow: the packets on the way come first.
        case .askConsent, .askPasskey, .compare: questions.append((role, output))
        case .encrypt(let key): encrypt(with: key)
        default: break
        }
    }

    private mutating func answer(_ question: PairingSession.Output, of role: PairingRole) {
        switch question {
        case .askConsent: act(role) { [agrees] in $0.confirm(agrees, at: $1) }
        case .askPasskey:
            let passkey = wrongPasskey ?? shownPasskey ?? 123_456
            act(role) { $0.enterPasskey(passkey, at: $1) }
        case .compare: act(role) { [seesEqualNumbers] in $0.confirm(seesEqualNumbers, at: $1) }
        case .encrypt: act(role) { $0.linkEncrypted(.on, at: $1) }
        default: break
        }
    }

    private mutating func encrypt(with key: LongTermKey) {
        let other = sessions[.responder]?.longTermKeyRequest(ediv: key.ediv, rand: key.rand)
        guard other == key else {
            for role in PairingRole.allCases { act(role) { $0.linkEncrypted(.failed(status: 0x3D), at: $1) } }
            return
        }
        if isEncryptionEventLate {
            questions.append((.initiator, .encrypt(key)))
        } else {
            act(.initiator) { $0.linkEncrypted(.on, at: $1) }
        }
        act(.responder) { $0.linkEncrypted(.on, at: $1) }
    }
}
