import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// A man in the middle, or a broken peer, changes something. The end that can see it must refuse.
@Suite("Attacks on a pairing")
struct PairingAttackTests {
    /// A changed packet: the n-th one of a kind, from 0.
    struct Change: Sendable, CustomTestStringConvertible {
        var sender: PairingRole
        var code: SMPCommand.Code
        var index = 0
        /// Where the changed bit is in the packet.
        var byte = 1
        /// Who refuses, and why.
        var refuser: PairingRole
        var reason: PairingFailure

        var testDescription: String { "\(code) \(index) of the \(sender)" }
    }

    private static let legacyChanges = [
        Change(sender: .initiator, code: .pairingConfirm, refuser: .responder, reason: .confirmValueFailed),
        Change(sender: .responder, code: .pairingConfirm, refuser: .initiator, reason: .confirmValueFailed),
        Change(sender: .initiator, code: .pairingRandom, refuser: .responder, reason: .confirmValueFailed),
        Change(sender: .responder, code: .pairingRandom, refuser: .initiator, reason: .confirmValueFailed),
        // The maximum key size: both ends still agree on a method, but not on the confirm value.
        Change(sender: .initiator, code: .pairingRequest, byte: 4, refuser: .responder, reason: .confirmValueFailed),
        Change(sender: .responder, code: .pairingResponse, byte: 4, refuser: .responder, reason: .confirmValueFailed),
    ]

    private static let secureChanges = [
        Change(sender: .initiator, code: .publicKey, refuser: .responder, reason: .dhKeyCheckFailed),
        Change(sender: .responder, code: .publicKey, refuser: .initiator, reason: .dhKeyCheckFailed),
        Change(sender: .initiator, code: .publicKey, byte: 64, refuser: .responder, reason: .dhKeyCheckFailed),
        Change(sender: .responder, code: .publicKey, byte: 64, refuser: .initiator, reason: .dhKeyCheckFailed),
        Change(sender: .initiator, code: .dhKeyCheck, refuser: .responder, reason: .dhKeyCheckFailed),
        Change(sender: .responder, code: .dhKeyCheck, refuser: .initiator, reason: .dhKeyCheckFailed),
        // The reserved bits of the requirements are part of the DHKey check only.
        Change(sender: .initiator, code: .pairingRequest, byte: 3, refuser: .responder, reason: .dhKeyCheckFailed),
        Change(sender: .responder, code: .pairingResponse, byte: 3, refuser: .initiator, reason: .dhKeyCheckFailed),
    ]

    private static let commitmentChanges = [
        Change(sender: .responder, code: .pairingConfirm, refuser: .initiator, reason: .confirmValueFailed),
        Change(sender: .responder, code: .pairingRandom, refuser: .initiator, reason: .confirmValueFailed),
        Change(sender: .initiator, code: .pairingRandom, refuser: .responder, reason: .dhKeyCheckFailed),
    ]

    private static let roundChanges = [0, 1, 10, 18, 19].flatMap { round in
        [SMPCommand.Code.pairingConfirm, .pairingRandom].flatMap { code in
            PairingRole.allCases.map { sender in
                Change(
                    sender: sender, code: code, index: round, refuser: sender.other, reason: .confirmValueFailed)
            }
        }
    }

    private func check(_ scenario: PairingScenario, _ change: Change) {
        var pair = scenario.pair()
        var seen = 0
        pair.tamper = { sender, packet in
            var packet = packet
            guard sender == change.sender, packet.first == change.code.rawValue else { return packet }
            // Bit 6 of the requirements is reserved; a maximum key size of 16 becomes 8 by bits 3 and 4.
            if seen == change.index {
                packet[change.byte] ^= change.byte == 3 ? 0x40 : change.byte == 4 && packet[0] <= 2 ? 0x18 : 0x01
            }
            seen += 1
            return packet
        }
        pair.run()
        expectRefusal(pair, by: change.refuser, change.reason)
    }

    private func expectRefusal(_ pair: PairingPair, by refuser: PairingRole, _ reason: PairingFailure) {
        let (end, other) = (pair.end(refuser), pair.end(refuser.other))
        #expect(end?.cause == .refused(reason), "\(String(describing: end))")
        #expect(end?.side == .local)
        #expect(end?.detail.isEmpty == false)
        #expect(other?.cause == .refused(reason), "\(String(describing: other))")
        #expect(other?.side == .peer)
        #expect(pair.result(.initiator) == nil)
        #expect(pair.result(.responder) == nil)
    }

    @Test(
        "Legacy pairing: each changed value is seen",
        .shows("SM/CEN/JW/BI-01-C", "SM/PER/JW/BI-02-C"),
        arguments: PairingScenario.all(secure: false), legacyChanges)
    func legacy(scenario: PairingScenario, change: Change) { check(scenario, change) }

    @Test(
        "Secure Connections: changed public keys, checks and requirements are seen",
        arguments: PairingScenario.all(secure: true), secureChanges)
    func secure(scenario: PairingScenario, change: Change) { check(scenario, change) }

    @Test(
        "Secure Connections without a passkey: changed confirm values and random numbers are seen",
        arguments: PairingScenario.withoutPasskey, commitmentChanges)
    func commitment(scenario: PairingScenario, change: Change) { check(scenario, change) }

    @Test(
        "Secure Connections with a passkey: a change is seen in its round",
        .shows("SM/CEN/SCPK/BI-02-C", "SM/PER/SCPK/BI-03-C"), arguments: PairingScenario.withPasskey, roundChanges)
    func rounds(scenario: PairingScenario, change: Change) { check(scenario, change) }

    @Test("People see different numbers if a random number or a public key was replaced")
    func differentNumbers() throws {
        let scenario = PairingScenario(.numericComparison, .keyboardDisplay, .displayYesNo, isSecure: true)
        var pair = scenario.pair()
        pair.seesEqualNumbers = false
        pair.tamper = { sender, packet in
            var packet = packet
            if sender == .initiator && packet.first == 0x04 { packet[1] ^= 1 }
            return packet
        }
        pair.run()
        let number = try #require(pair.compared(.initiator))
        #expect(number != pair.compared(.responder))
        #expect(pair.end(.responder)?.cause == .refused(.numericComparisonFailed))
        #expect(pair.end(.initiator)?.cause == .refused(.numericComparisonFailed))
    }

    @Test("A public key that a man in the middle replaced by his own is seen", arguments: PairingRole.allCases)
    func replacedKey(sender: PairingRole) throws {
        let own = SMPCommand.publicKey(PairingKeyPair(random: SMPTest.random(seed: 99)).publicKey).bytes
        for scenario in PairingScenario.all(secure: true) {
            var pair = scenario.pair()
            pair.tamper = { $0 == sender && $1.first == 0x0C ? own : $1 }
            pair.run()
            // The end that checks the first confirm value.
            let refuser: PairingRole = scenario.method.isPasskeyEntry ? .responder : .initiator
            expectRefusal(pair, by: refuser, .confirmValueFailed)
        }
    }

    @Test(
        "A wrong passkey is seen in the round of its first wrong bit", .shows("SM/PER/SCPK/BI-05-C"), arguments: 0..<20)
    func wrongPasskey(bit: Int) throws {
        for scenario in PairingScenario.withPasskey where scenario.method != .passkeyBothEnter {
            var right = scenario.pair()
            right.run()
            var passkey: UInt32?
            for role in PairingRole.allCases {
                for case .showPasskey(let shown) in right.outputs[role] ?? [] { passkey = shown }
            }
            let wrong = try #require(passkey) ^ 1 << UInt32(bit)
            guard wrong <= 999_999 else { continue }
            var pair = scenario.pair()
            pair.wrongPasskey = wrong
            pair.run()
            expectRefusal(pair, by: .responder, .confirmValueFailed)
            #expect(pair.end(.responder)?.detail.hasSuffix("in round \(bit + 1) of 20") == true)
        }
    }

    @Test("A wrong passkey of legacy pairing is seen", .shows("SM/PER/PKE/BI-03-C"))
    func wrongLegacyPasskey() {
        for method in [PairingMethod.passkeyInitiatorEnters, .passkeyResponderEnters] {
            for scenario in PairingScenario.all(secure: false) where scenario.method == method {
                var pair = scenario.pair()
                pair.wrongPasskey = 1_000
                pair.run()
                expectRefusal(pair, by: .responder, .confirmValueFailed)
            }
        }
    }

    @Test("An address with which the link was not made is seen", arguments: PairingScenario.all)
    func wrongAddress(scenario: PairingScenario) {
        var pair = scenario.pair()
        var setup = PairingPair.setup(.initiator, scenario.initiator)
        setup.peer.isRandom = true
        pair.sessions[.initiator] = PairingSession(setup)
        pair.run()
        let isSecure = scenario.initiator.supportsSecureConnections
        expectRefusal(pair, by: .responder, isSecure ? .dhKeyCheckFailed : .confirmValueFailed)
    }

    @Test("A request without the bit for Secure Connections does not lead to legacy pairing")
    func downgrade() {
        for scenario in PairingScenario.all(secure: true) {
            var pair = scenario.pair()
            pair.tamper = { sender, packet in
                var packet = packet
                if sender == .initiator && packet.first == 0x01 { packet[3] &= ~0x08 }
                return packet
            }
            pair.run()
            #expect(pair.result(.initiator) == nil)
            #expect(pair.result(.responder) == nil)
            #expect(pair.end(.responder)?.cause == .refused(.unspecifiedReason))
        }
    }

    @Test("A responder that sends our own public key back is refused")
    func reflectedKey() {
        for scenario in PairingScenario.all(secure: true) {
            var pair = scenario.pair()
            var own: [UInt8] = []
            pair.tamper = { sender, packet in
                guard packet.first == 0x0C else { return packet }
                if sender == .initiator { own = packet }
                var reflected = own
                // The point with the same X coordinate on the other side of the curve counts as well.
                if scenario.method == .justWorks { reflected = Self.negated(own) }
                return sender == .initiator ? packet : reflected
            }
            pair.run()
            #expect(pair.end(.initiator)?.cause == .refused(.dhKeyCheckFailed))
            #expect(pair.end(.initiator)?.detail == "its public key is our own")
        }
    }

    /// The packet of the point with the same X coordinate and the other Y coordinate.
    private static func negated(_ packet: [UInt8]) -> [UInt8] {
        // p = 2²⁵⁶ − 2²²⁴ + 2¹⁹² + 2⁹⁶ − 1, least significant byte first.
        let prime = SMPTest.bytes("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF").reversed()
        var borrow = 0
        let y = zip(prime, packet[33...]).map { part, digit in
            let difference = Int(part) - Int(digit) - borrow
            borrow = difference < 0 ? 1 : 0
            return UInt8(truncatingIfNeeded: difference)
        }
        return packet[..<33] + y
    }

    @Test(
        "A responder that sends our own confirm value back is refused",
        .shows("SM/CEN/JW/BI-06-C", "SM/CEN/PKE/BI-03-C"))
    func reflectedConfirm() {
        // In Secure Connections without a passkey, the initiator sends no confirm value.
        for scenario in PairingScenario.all(secure: false) + PairingScenario.withPasskey {
            var pair = scenario.pair()
            var own: [UInt8] = []
            pair.tamper = { sender, packet in
                guard packet.first == 0x03 else { return packet }
                if sender == .initiator { own = packet }
                return own
            }
            pair.run()
            expectRefusal(pair, by: .initiator, .confirmValueFailed)
            #expect(pair.end(.initiator)?.detail == "its confirm value is our own")
        }
    }

    @Test("Controllers with different keys do not encrypt, and both ends fail")
    func encryptionFails() {
        for scenario in PairingScenario.all {
            var pair = scenario.pair()
            pair.isEncryptionEventLate = true
            pair.run()
            let moments = pair.moments.filter { $0.sessions[.initiator]?.step == .encryption }
            #expect(!moments.isEmpty)
            for moment in moments {
                guard var session = moment.sessions[.initiator] else { continue }
                let outputs = session.linkEncrypted(.failed(status: 0x06), at: moment.now)
                #expect(outputs.first == .send([0x05, 0x08]))
                let end = PairingEnd(.encryptionFailed(status: 0x06), by: .link, while: .encryption)
                #expect(outputs.last == .failed(end))
            }
        }
    }
}
