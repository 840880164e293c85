import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases SM of the Bluetooth SIG for LE Secure Connections. The other end is the tester of the case.
@Suite("SIG cases: LE Secure Connections")
struct SIGSecurePairingTests {
    private func check(
        _ pair: PairingPair, _ method: PairingMethod, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(pair.isEncrypted, "\(pair.outputs)", sourceLocation: sourceLocation)
        for role in PairingRole.allCases {
            #expect(pair.result(role)?.method == method, sourceLocation: sourceLocation)
            #expect(pair.result(role)?.strength.isSecureConnections == true, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "Just Works and Numeric Comparison encrypt the link, with another nonce each time",
        .shows("SM/CEN/SCJW/BV-01-C", "SM/PER/SCJW/BV-02-C"), arguments: PairingRole.allCases)
    func withoutPasskey(phone: PairingRole) {
        for (capability, method) in [
            (PairingCapability.noInputNoOutput, PairingMethod.justWorks), (.displayYesNo, .numericComparison),
            (.keyboardDisplay, .numericComparison),
        ] {
            var nonces: Set<[UInt8]> = []
            let random = SMPTest.random(seed: 77)
            for seed in 1...3 as ClosedRange<UInt64> {
                var pair = PairingPair.phone(
                    phone, tester: capability, isSecure: true, asksForAuthentication: false, seed: seed)
                // The phone goes on with the same source of random bytes, as it does from pairing to pairing.
                var setup = PairingPair.setup(phone, HostPersonality.iPhone.pairing)
                setup.random = random
                pair.sessions[phone] = PairingSession(setup)
                pair.run()
                check(pair, method)
                for (sender, packet) in pair.sent where sender == phone && packet.first == 0x04 {
                    nonces.insert(packet)
                }
            }
            #expect(nonces.count == 3)
        }
    }

    @Test(
        "Reserved bits of the peer's requirements change nothing, and the phone's are 0",
        .shows("SM/CEN/SCJW/BV-04-C", "SM/PER/SCJW/BV-03-C", "SM/CEN/SCPK/BV-04-C", "SM/PER/SCPK/BV-03-C"),
        arguments: PairingRole.allCases, [PairingCapability.noInputNoOutput, .keyboardOnly])
    func reservedBits(phone: PairingRole, capability: PairingCapability) throws {
        let isEntered = capability == .keyboardOnly
        var pair = PairingPair.phone(phone, tester: capability, isSecure: true, asksForAuthentication: isEntered)
        pair.run(tester: phone.other) {
            $0.authentication = AuthenticationRequirements(rawValue: $0.authentication.rawValue | 0xC0)
        }
        #expect(try #require(pair.said(phone.other)).authentication.rawValue & 0xC0 == 0xC0)
        #expect(try #require(pair.said(phone)).authentication.rawValue & 0xC0 == 0)
        guard isEntered else { return check(pair, .justWorks) }
        check(pair, phone == .initiator ? .passkeyResponderEnters : .passkeyInitiatorEnters)
    }

    @Test(
        "A passkey encrypts the link: the phone shows it, or its person enters it",
        .shows("SM/CEN/SCPK/BV-01-C", "SM/PER/SCPK/BV-02-C"), arguments: PairingRole.allCases)
    func passkey(phone: PairingRole) throws {
        var pair = PairingPair.phone(phone, tester: .keyboardOnly, isSecure: true)
        pair.run()
        check(pair, phone == .initiator ? .passkeyResponderEnters : .passkeyInitiatorEnters)
        #expect(pair.shownPasskey(phone) != nil && pair.shownPasskey(phone.other) == nil)
        #expect(try #require(pair.said(phone)).authentication.contains(.keypress) == false)

        pair = .phone(phone, tester: .displayOnly, isSecure: true)
        pair.run()
        check(pair, phone == .initiator ? .passkeyInitiatorEnters : .passkeyResponderEnters)
        #expect(pair.shownPasskey(phone) == nil && pair.shownPasskey(phone.other) != nil)
    }

    @Test("The initiator's passkey differs from pairing to pairing", .shows("SM/CEN/SCPK/BV-05-C"))
    func randomPasskeys() {
        let passkeys = (1...3 as ClosedRange<UInt64>).map { seed in
            var pair = PairingPair.phone(.initiator, tester: .keyboardOnly, isSecure: true, seed: seed)
            pair.run()
            check(pair, .passkeyResponderEnters)
            return pair.shownPasskey(.initiator)
        }
        #expect(Set(passkeys.compactMap { $0 }).count == 3)
    }

    /// How the tester breaks its public key. Source: the rounds of SM/PER/KDU/BI-04-C and SM/CEN/KDU/BI-04-C.
    enum BrokenKey {
        case noY, changedY, zero, ourX

        /// A peripheral shows its key only after it has taken the central's, so that the central cannot have its X.
        static let cases: [(phone: PairingRole, key: BrokenKey)] = [
            (.initiator, .noY), (.initiator, .changedY), (.initiator, .zero), (.initiator, .ourX),
            (.responder, .noY), (.responder, .changedY), (.responder, .zero),
        ]

        func packet(_ packet: [UInt8], own: [UInt8]?) -> [UInt8] {
            var packet = packet
            switch self {
            case .noY: packet.replaceSubrange(33..<65, with: [UInt8](repeating: 0, count: 32))
            case .changedY: packet[40] ^= 0x10
            case .zero: packet.replaceSubrange(1..<65, with: [UInt8](repeating: 0, count: 64))
            case .ourX: if let own { packet.replaceSubrange(1..<33, with: own[1..<33]) }
            }
            return packet
        }
    }

    @Test(
        "A public key beside the curve, or with our own X coordinate, fails the pairing at once with DHKey Check Failed",
        .shows("SM/CEN/KDU/BI-01-C", "SM/CEN/KDU/BI-04-C", "SM/PER/KDU/BI-01-C", "SM/PER/KDU/BI-04-C"),
        arguments: BrokenKey.cases)
    func brokenKeys(phone: PairingRole, key: BrokenKey) {
        var pair = PairingPair.phone(phone, tester: .displayYesNo, isSecure: true)
        var own: [UInt8]?
        pair.tamper = { sender, packet in
            guard packet.first == SMPCommand.Code.publicKey.rawValue else { return packet }
            if sender == phone { own = packet }
            return sender == phone ? packet : key.packet(packet, own: own)
        }
        pair.run()
        #expect(pair.end(phone)?.cause == .refused(.dhKeyCheckFailed))
        #expect(pair.end(phone)?.side == .local)
        #expect(pair.sent.last { $0.from == phone }?.packet == [0x05, 0x0B])
        #expect(pair.result(phone) == nil)
        #expect(!pair.codes(from: phone).contains(.pairingRandom))
    }
}
