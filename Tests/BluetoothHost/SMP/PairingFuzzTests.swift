import RadioModel
import SeededNumbers
import Testing

@testable import HILBluetoothHost

@Suite("Hostile peers of a pairing")
struct PairingFuzzTests {
    @Test("Random and changed packets at any step never trap, and a pairing stays small")
    func fuzz() throws {
        var numbers = SeededNumbers(seed: 0xF0_22)
        let moments = PairingScenario.all.flatMap { scenario in
            var pair = scenario.pair()
            pair.run()
            return pair.moments
        }
        var count = 0
        while count < SMPTest.fuzzCount {
            let moment = try #require(moments.randomElement(using: &numbers))
            let role = Bool.random(using: &numbers) ? PairingRole.initiator : .responder
            var session = try #require(moment.sessions[role])
            var now = moment.now
            for _ in 0..<8 {
                count += 1
                now += .milliseconds(Int.random(in: 0...100, using: &numbers))
                let packet = Self.packet(near: moment.next?.packet, using: &numbers)
                let outputs = Self.disturb(&session, with: packet, at: now, using: &numbers)
                #expect(outputs.count <= 12)
                #expect(Self.held(by: session) <= 5)
                #expect(session.isActive == (session.deadline != nil) || session.step == .idle)
            }
        }
    }

    /// A random packet, a valid one of any kind, or the due one with a change.
    static func packet(near due: [UInt8]?, using numbers: inout SeededNumbers) -> [UInt8] {
        var packet: [UInt8]
        switch Int.random(in: 0...3, using: &numbers) {
        case 0:
            packet = (0..<Int.random(in: 0...70, using: &numbers)).map { _ in UInt8.random(in: 0...255, using: &numbers)
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

    private static func disturb(
        _ session: inout PairingSession, with packet: [UInt8], at now: Duration, using numbers: inout SeededNumbers
    ) -> [PairingSession.Output] {
        switch Int.random(in: 0...15, using: &numbers) {
        case 0: session.confirm(Bool.random(using: &numbers), at: now)
        case 1: session.enterPasskey(UInt32.random(in: 0...1_100_000, using: &numbers), at: now)
        case 2: session.enterPasskey(nil, at: now)
        case 3: session.linkEncrypted(Bool.random(using: &numbers) ? .on : .failed(status: 6), at: now)
        case 4:
            session.longTermKeyRequest(ediv: 0, rand: 0) == nil ? [] : session.linkEncrypted(.on, at: now)
        case 5: session.press(.digitEntered, at: now)
        case 6: session.advance(to: now)
        default: session.receive(packet, at: now)
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
