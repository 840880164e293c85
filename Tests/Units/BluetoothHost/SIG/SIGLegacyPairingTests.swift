import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases SM of the Bluetooth SIG for legacy pairing. The other end is the tester of the case.
@Suite("SIG cases: legacy pairing")
struct SIGLegacyPairingTests {
    private func check(
        _ pair: PairingPair, _ method: PairingMethod, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(pair.isEncrypted, "\(pair.outputs)", sourceLocation: sourceLocation)
        for role in PairingRole.allCases {
            #expect(pair.result(role)?.method == method, sourceLocation: sourceLocation)
            #expect(pair.result(role)?.strength.isSecureConnections == false, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "Just Works encrypts the link, without bonding too", .shows("SM/CEN/JW/BV-01-C", "SM/PER/JW/BV-02-C"),
        arguments: PairingRole.allCases)
    func justWorks(phone: PairingRole) throws {
        var pair = PairingPair.phone(phone, tester: .keyboardDisplay, isSecure: false, asksForAuthentication: false) {
            $0.bonds = false
            $0.asksForAuthentication = false
        }
        pair.run()
        let said = try #require(pair.said(phone))
        #expect(said.authentication.rawValue & 0xC7 == 0 && !said.hasOutOfBandData)
        for role in PairingRole.allCases { #expect(pair.result(role)?.method == .justWorks) }
        #expect(pair.outputs[.initiator]?.contains { if case .encrypt = $0 { true } else { false } } == true)
        #expect(pair.result(phone)?.isBonded == false)

        pair = .phone(phone, tester: .noInputNoOutput, isSecure: false, asksForAuthentication: false)
        pair.run()
        check(pair, .justWorks)
    }

    @Test(
        "Reserved bits of the peer's requirements change nothing, and the phone's are 0",
        .shows("SM/CEN/JW/BI-04-C", "SM/PER/JW/BI-03-C"), arguments: PairingRole.allCases)
    func reservedBits(phone: PairingRole) throws {
        var pair = PairingPair.phone(phone, tester: .noInputNoOutput, isSecure: false, asksForAuthentication: false)
        pair.run(tester: phone.other) {
            $0.authentication = AuthenticationRequirements(rawValue: $0.authentication.rawValue | 0xC0)
        }
        #expect(try #require(pair.said(phone.other)).authentication.rawValue & 0xC0 == 0xC0)
        #expect(try #require(pair.said(phone)).authentication.rawValue & 0xC0 == 0)
        check(pair, .justWorks)
    }

    @Test(
        "A passkey encrypts the link: the phone shows it, or its person enters it",
        .shows("SM/CEN/PKE/BV-01-C", "SM/PER/PKE/BV-02-C"))
    func passkey() {
        var pair = PairingPair.phone(.initiator, tester: .keyboardOnly, isSecure: false)
        pair.run()
        check(pair, .passkeyResponderEnters)
        #expect(pair.shownPasskey(.initiator) != nil)

        pair = .phone(.responder, tester: .keyboardDisplay, isSecure: false)
        pair.run()
        check(pair, .passkeyResponderEnters)
        #expect(pair.shownPasskey(.initiator) != nil && pair.shownPasskey(.responder) == nil)
    }

    @Test(
        "A peer without input and output gets an unauthenticated key, although the phone asks for more",
        .shows("SM/CEN/PKE/BV-04-C", "SM/PER/PKE/BV-05-C"), arguments: PairingRole.allCases)
    func unauthenticated(phone: PairingRole) throws {
        var pair = PairingPair.phone(phone, tester: .noInputNoOutput, isSecure: false, asksForAuthentication: false)
        pair.run()
        check(pair, .justWorks)
        #expect(pair.result(phone)?.strength.isAuthenticated == false)
        #expect(try #require(pair.said(phone)).authentication.contains(.manInTheMiddle))
        #expect(try #require(pair.said(phone)).capability == .keyboardDisplay)
    }

    @Test("The initiator's passkey differs from pairing to pairing", .shows("SM/CEN/PKE/BV-05-C"))
    func randomPasskeys() {
        let passkeys = (1...3 as ClosedRange<UInt64>).map { seed in
            var pair = PairingPair.phone(.initiator, tester: .keyboardOnly, isSecure: false, seed: seed)
            pair.run()
            check(pair, .passkeyResponderEnters)
            return pair.shownPasskey(.initiator)
        }
        #expect(Set(passkeys.compactMap { $0 }).count == 3)
    }

    @Test(
        "A peer that alone has out-of-band data pairs by the capabilities",
        .shows("SM/CEN/OOB/BV-05-C", "SM/PER/OOB/BV-06-C", "SM/CEN/OOB/BV-07-C", "SM/PER/OOB/BV-08-C"))
    func outOfBandThere() throws {
        for (phone, capability, method) in [
            (PairingRole.initiator, PairingCapability.keyboardOnly, PairingMethod.passkeyResponderEnters),
            (.responder, .keyboardDisplay, .passkeyResponderEnters), (.initiator, .noInputNoOutput, .justWorks),
            (.responder, .noInputNoOutput, .justWorks),
        ] {
            var pair = PairingPair.phone(
                phone, tester: capability, isSecure: false, asksForAuthentication: method != .justWorks)
            pair.run(tester: phone.other) { $0.hasOutOfBandData = true }
            #expect(try #require(pair.said(phone.other)).hasOutOfBandData)
            #expect(try #require(pair.said(phone)).hasOutOfBandData == false)
            check(pair, method)
        }
    }

    @Test(
        "The central is silent after the response: the pairing fails after 30 s, and a late confirm value gets nothing",
        .shows("SM/PER/PROT/BV-02-C"))
    func silentCentral() {
        let now = Duration.seconds(50)
        var manager = SecurityManager(PairingPair.setup(.responder, HostPersonality.iPhone.pairing))
        let outputs = manager.receive([0x01, 0x04, 0x00, 0x05, 0x10, 0x03, 0x03], at: now)
        guard case .send(let response)? = outputs.first else { return #expect(Bool(false), "\(outputs)") }
        #expect(response.first == 0x02)
        #expect(manager.advance(to: now + .milliseconds(29_999)) == [])
        guard case .failed(let end)? = manager.advance(to: now + .seconds(30)).first else {
            return #expect(Bool(false), "no end")
        }
        #expect(end.cause == .timeout && manager.isClosed)
        #expect(manager.receive([0x03] + [UInt8](repeating: 1, count: 16), at: now + .seconds(40)) == [])
    }

    @Test(
        "A key that is shorter than the shortest is refused: Invalid Parameters or Encryption Key Size",
        .shows("SM/CEN/EKS/BI-01-C", "SM/PER/EKS/BI-02-C"))
    func shortKeys() {
        for (smallest, reason) in [(7, [0x05, 0x0A]), (16, [0x05, 0x06])] as [(Int, [UInt8])] {
            var features = HostPersonality.iPhone.pairing
            features.minimumKeySize = smallest
            let size = UInt8(smallest - 1)
            var central = SecurityManager(PairingPair.setup(.initiator, features))
            _ = central.requestPairing(at: .zero)
            let answer = central.receive([0x02, 0x03, 0x00, 0x01, size, 0x00, 0x00], at: .zero)
            #expect(answer.first == .send(reason))
            #expect(!central.isPairing)
            var peripheral = SecurityManager(PairingPair.setup(.responder, features))
            let refusal = peripheral.receive([0x01, 0x03, 0x00, 0x01, size, 0x00, 0x00], at: .zero)
            #expect(refusal.first == .send(reason))
            #expect(!peripheral.isPairing)
        }
    }
}
