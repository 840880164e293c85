import RadioModel
import TestSupport

@testable import HILBluetoothHost

/// A pairing that is taken at any moment of its course, and disturbed for eight packets. Then another one is taken.
struct SecurityMachine: FuzzedMachine {
    static let mustMeet: Set<String> = ["failed", "completed", "sent"]
    private static let moments = PairingScenario.all.flatMap { scenario in
        var pair = scenario.pair()
        pair.run()
        return pair.moments
    }

    var numbers: SeededNumbers
    var log: FuzzLog?
    private(set) var met: Set<String> = []
    private var session: PairingSession?
    private var due: [UInt8]?
    private var now = Duration.zero
    private var left = 0

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    mutating func step() -> String? {
        if left == 0 { take() }
        left -= 1
        guard var session else { return nil }
        now += .milliseconds(chance(100))
        let outputs = disturb(&session)
        self.session = session
        for output in outputs {
            switch output {
            case .send: met.insert("sent")
            case .failed: met.insert("failed")
            case .completed: met.insert("completed")
            default: break
            }
        }
        if outputs.count > 12 { return "\(outputs.count) outputs at once" }
        if SecurityMachine.held(by: session) > 5 { return "more than five commands are kept" }
        return session.isActive == (session.deadline != nil) || session.step == .idle
            ? nil : "an active pairing without a deadline"
    }

    /// Takes a moment of a pairing.
    private mutating func take() {
        let number = chance(SecurityMachine.moments.count)
        let role = Bool.random(using: &numbers) ? PairingRole.initiator : .responder
        let moment = SecurityMachine.moments[number]
        log?.add("moment \(number), \(role)")
        (session, due, now, left) = (moment.sessions[role], moment.next?.packet, moment.now, 8)
    }

    private mutating func disturb(_ session: inout PairingSession) -> [PairingSession.Output] {
        let choice = chance(16)
        if choice < 7 { log?.add("action \(choice)") }
        switch choice {
        case 0: return session.confirm(Bool.random(using: &numbers), at: now)
        case 1: return session.enterPasskey(UInt32.random(in: 0...1_100_000, using: &numbers), at: now)
        case 2: return session.enterPasskey(nil, at: now)
        case 3: return session.linkEncrypted(Bool.random(using: &numbers) ? .on : .failed(status: 6), at: now)
        case 4:
            return session.longTermKeyRequest(ediv: 0, rand: 0) == nil ? [] : session.linkEncrypted(.on, at: now)
        case 5: return session.press(.digitEntered, at: now)
        case 6: return session.advance(to: now)
        default:
            let packet = PairingFuzz.packet(near: due, using: &numbers)
            log?.packet("SMP", packet)
            return session.receive(packet, at: now)
        }
    }

    /// How many commands a session keeps for later.
    private static func held(by session: PairingSession) -> Int {
        switch session.stage {
        case .consent(_, let held): held == nil ? 0 : 1
        case .encryption(let pending): pending.early.count
        default: 0
        }
    }
}

enum PairingFuzz {
    /// A random packet, a valid one of any kind, or the due one with a change.
    static func packet(near due: [UInt8]?, using numbers: inout SeededNumbers) -> [UInt8] {
        var packet: [UInt8]
        switch Int.random(in: 0...3, using: &numbers) {
        case 0:
            packet = (0..<Int.random(in: 0...70, using: &numbers)).map { _ in
                UInt8.random(in: 0...255, using: &numbers)
            }
        case 1: packet = SMPCommandTests.samples.randomElement(using: &numbers)?.command.bytes ?? []
        case 2: packet = due ?? []
        default:
            packet = due ?? []
            if !packet.isEmpty {
                packet[Int.random(in: 0..<packet.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
        }
        return packet
    }
}
