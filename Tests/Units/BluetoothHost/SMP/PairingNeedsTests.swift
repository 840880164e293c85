import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("What an end of a pairing needs")
struct PairingNeedsTests {
    private let legacy = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false)
    private let secure = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)

    @Test("A key that is too short is refused by the end that needs a longer one", arguments: PairingRole.allCases)
    func tooShort(role: PairingRole) {
        for var scenario in [legacy, secure] {
            if role == .initiator {
                scenario.initiator.minimumKeySize = 16
                scenario.responder.maximumKeySize = 15
            } else {
                scenario.responder.minimumKeySize = 16
                scenario.initiator.maximumKeySize = 15
            }
            var pair = scenario.pair()
            pair.run()
            #expect(pair.end(role)?.cause == .refused(.encryptionKeySize))
            #expect(pair.end(role)?.side == .local)
            #expect(pair.end(role.other)?.cause == .refused(.encryptionKeySize))
            #expect(pair.end(role.other)?.side == .peer)
        }
    }

    @Test(
        "A phone that needs Secure Connections refuses legacy pairing and short keys", arguments: PairingRole.allCases)
    func secureOnly(role: PairingRole) {
        var scenario = secure
        let needs = role == .initiator ? \PairingScenario.initiator : \PairingScenario.responder
        let other = role == .initiator ? \PairingScenario.responder : \PairingScenario.initiator
        scenario[keyPath: needs].needsSecureConnections = true
        var pair = scenario.pair()
        pair.run()
        #expect(pair.result(role) != nil)

        scenario[keyPath: other].maximumKeySize = 15
        pair = scenario.pair()
        pair.run()
        #expect(pair.end(role)?.cause == .refused(.encryptionKeySize))

        scenario[keyPath: other].supportsSecureConnections = false
        pair = scenario.pair()
        pair.run()
        #expect(pair.end(role)?.cause == .refused(.authenticationRequirements))
        #expect(pair.end(role)?.side == .local)
    }

    @Test("A phone that needs authentication refuses Just Works", arguments: PairingRole.allCases)
    func authenticatedOnly(role: PairingRole) {
        for var scenario in [legacy, secure] {
            if role == .initiator {
                scenario.initiator.needsAuthentication = true
            } else {
                scenario.responder.needsAuthentication = true
            }
            var pair = scenario.pair()
            pair.run()
            #expect(pair.end(role)?.cause == .refused(.authenticationRequirements))
            #expect(pair.end(role.other)?.side == .peer)
        }
    }

    @Test(
        "A peer with out-of-band data of this device is refused, because there is none",
        arguments: PairingRole.allCases)
    func outOfBand(role: PairingRole) {
        var pair = secure.pair()
        pair.tamper = { sender, packet in
            var packet = packet
            if sender != role && packet[0] <= 0x02 { packet[2] = 1 }
            return packet
        }
        pair.run()
        #expect(pair.end(role)?.cause == .refused(.outOfBandNotAvailable))
    }

    @Test("The debug key pair is used and told, or refused")
    func debugKey() throws {
        for role in PairingRole.allCases {
            var scenario = secure
            scenario.initiator.usesDebugKey = role == .initiator
            scenario.responder.usesDebugKey = role == .responder
            var pair = scenario.pair()
            pair.run()
            #expect(try #require(pair.result(.initiator)).usedDebugKey)
            #expect(try #require(pair.result(.responder)).usedDebugKey)

            if role == .initiator {
                scenario.responder.acceptsDebugKey = false
            } else {
                scenario.initiator.acceptsDebugKey = false
            }
            pair = scenario.pair()
            pair.run()
            #expect(pair.end(role.other)?.cause == .refused(.dhKeyCheckFailed))
            #expect(pair.end(role.other)?.side == .local)
        }
    }

    @Test("Two ends in the debug mode pair, although their public keys are equal")
    func bothInDebugMode() {
        var scenario = secure
        scenario.initiator.usesDebugKey = true
        scenario.responder.usesDebugKey = true
        var pair = scenario.pair()
        pair.run()
        #expect(pair.result(.initiator)?.usedDebugKey == true)
    }
}
