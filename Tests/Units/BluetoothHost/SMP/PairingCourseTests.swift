import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("The course of a pairing")
struct PairingCourseTests {
    @Test("Each scenario has its method", arguments: PairingScenario.all)
    func scenarios(scenario: PairingScenario) throws {
        var pair = scenario.pair()
        pair.run()
        #expect(try #require(pair.result(.initiator)).method == scenario.method)
        #expect(try #require(pair.result(.responder)).method == scenario.method)
    }

    @Test("The packets of legacy pairing have the order of the specification")
    func legacyOrder() {
        var pair = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false).pair()
        pair.run()
        let keys: [SMPCommand.Code] = [
            .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation,
        ]
        #expect(pair.codes(from: .initiator) == [.pairingRequest, .pairingConfirm, .pairingRandom] + keys)
        #expect(pair.codes(from: .responder) == [.pairingResponse, .pairingConfirm, .pairingRandom] + keys)
        let lastOfResponder = pair.sent.lastIndex { $0.from == .responder }
        let firstKey = pair.sent.firstIndex { $0.from == .initiator && $0.packet.first == 0x06 }
        #expect(lastOfResponder.map { last in firstKey.map { last < $0 } } == true)
    }

    @Test("The packets of Secure Connections without a passkey have the order of the specification")
    func secureOrder() {
        var pair = PairingScenario(.numericComparison, .keyboardDisplay, .displayYesNo, isSecure: true).pair()
        pair.run()
        let keys: [SMPCommand.Code] = [.identityInformation, .identityAddressInformation, .signingInformation]
        #expect(
            pair.codes(from: .initiator) == [.pairingRequest, .publicKey, .pairingRandom, .dhKeyCheck] + keys)
        #expect(
            pair.codes(from: .responder)
                == [.pairingResponse, .publicKey, .pairingConfirm, .pairingRandom, .dhKeyCheck] + keys)
    }

    @Test("A passkey is compared in 20 rounds", arguments: PairingScenario.withPasskey)
    func rounds(scenario: PairingScenario) {
        var pair = scenario.pair()
        pair.run()
        for role in PairingRole.allCases {
            let codes = pair.codes(from: role)
            #expect(codes.filter { $0 == .pairingConfirm }.count == 20)
            #expect(codes.filter { $0 == .pairingRandom }.count == 20)
            let values = pair.sent.filter { $0.from == role && $0.packet.first == 0x04 }.map(\.packet)
            #expect(Set(values).count == 20)
        }
    }

    @Test("A shown passkey has at most six digits, and differs from pairing to pairing")
    func passkeys() {
        var passkeys: Set<UInt32> = []
        for seed in 0..<50 {
            var pair = PairingScenario(.passkeyInitiatorEnters, .keyboardDisplay, .displayOnly, isSecure: false)
                .pair(seed: UInt64(seed))
            pair.run()
            for case .showPasskey(let passkey) in pair.outputs[.responder] ?? [] { passkeys.insert(passkey) }
        }
        #expect(passkeys.count > 45)
        #expect(passkeys.allSatisfy { $0 <= 999_999 })
    }

    @Test("People may answer in any order", arguments: PairingScenario.all, PairingRole.allCases)
    func orderOfAnswers(scenario: PairingScenario, quickPerson: PairingRole) {
        var pair = scenario.pair()
        pair.quickPerson = quickPerson
        pair.run()
        #expect(pair.result(.initiator)?.method == scenario.method)
        #expect(pair.result(.responder)?.method == scenario.method)
    }

    @Test("Keys that arrive before the controller's event are kept until it", arguments: PairingScenario.all)
    func earlyKeys(scenario: PairingScenario) throws {
        var pair = scenario.pair()
        pair.isEncryptionEventLate = true
        pair.run()
        #expect(try #require(pair.result(.initiator)).keys.peerIdentity == PairingPair.identity(of: .responder))
        #expect(pair.result(.responder) != nil)
    }

    @Test("With no early keys allowed they end the pairing")
    func noEarlyKeys() {
        var scenario = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)
        scenario.initiator.earlyCommandLimit = 0
        var pair = scenario.pair()
        pair.isEncryptionEventLate = true
        pair.run()
        #expect(pair.end(.initiator)?.cause == .refused(.unspecifiedReason))
        #expect(pair.end(.initiator)?.step == .encryption)
    }

    @Test("The person is asked about a pairing that just works, as the features say")
    func consent() {
        for (consent, initiatorAsks, responderAsks) in [
            (PairingFeatures.Consent.never, false, false), (.asResponder, false, true), (.always, true, true),
        ] {
            var scenario = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)
            scenario.initiator.consent = consent
            scenario.responder.consent = consent
            var pair = scenario.pair()
            pair.run()
            #expect(pair.outputs[.initiator]?.contains(.askConsent) == initiatorAsks)
            #expect(pair.outputs[.responder]?.contains(.askConsent) == responderAsks)
            #expect(pair.result(.initiator) != nil)
        }
    }

    @Test("A person who does not want to pair ends the pairing with the configured reason")
    func noConsent() {
        var scenario = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)
        scenario.initiator.consentRefusal = .pairingNotSupported
        scenario.responder.consent = .never
        var pair = scenario.pair()
        pair.agrees = false
        pair.run()
        #expect(pair.end(.initiator) == PairingEnd(.cancelled, by: .local, while: .consent))
        #expect(pair.end(.responder)?.cause == .refused(.pairingNotSupported))
        #expect(pair.end(.responder)?.side == .peer)
    }

    @Test("Pressed keys are told if both ends support it")
    func keypress() throws {
        for isSupported in [true, false] {
            var scenario = PairingScenario(.passkeyInitiatorEnters, .keyboardOnly, .displayOnly, isSecure: true)
            scenario.initiator.supportsKeypress = true
            scenario.responder.supportsKeypress = isSupported
            var pair = scenario.pair()
            pair.run()
            let moment = try #require(pair.moments.first { $0.sessions[.initiator]?.step == .passkey })
            var initiator = try #require(moment.sessions[.initiator])
            var responder = try #require(moment.sessions[.responder])
            let outputs = initiator.press(.digitEntered, at: moment.now)
            #expect(outputs == (isSupported ? [.send([0x0E, 0x01])] : []))
            let heard = responder.receive([0x0E, 0x01], at: moment.now)
            #expect(heard.contains(.keypress(.digitEntered)) == isSupported)
            #expect(responder.isActive == isSupported)
        }
    }

    @Test("A link that is encrypted already pairs again")
    func again() throws {
        var first = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true).pair(seed: 1)
        first.run()
        var second = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true).pair(seed: 2)
        // The event of the first encryption comes late.
        let early = second.sessions[.initiator]?.linkEncrypted(.on, at: second.now)
        #expect(early == [])
        second.run()
        let keys = try #require(second.result(.initiator)).keys
        #expect(keys.peerKey == second.result(.responder)?.keys.localKey)
        #expect(keys.peerKey != first.result(.initiator)?.keys.peerKey)
    }

    @Test("The responder's controller gets the key of the pairing only when it is due and meant")
    func longTermKeyRequests() throws {
        var pair = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false).pair()
        pair.run()
        for moment in pair.moments {
            for (role, session) in moment.sessions {
                var session = session
                #expect(session.longTermKeyRequest(ediv: 1, rand: 0) == nil)
                #expect(session.longTermKeyRequest(ediv: 0, rand: 1) == nil)
                let isDue = role == .responder && session.step == .encryption
                #expect((session.longTermKeyRequest(ediv: 0, rand: 0) != nil) == isDue)
            }
        }
    }

    @Test("An encryption for which the responder's controller did not get the key is not that of the pairing")
    func otherEncryption() throws {
        var pair = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false).pair()
        pair.run()
        let moment = try #require(pair.moments.first { $0.sessions[.responder]?.step == .encryption })
        var responder = try #require(moment.sessions[.responder])
        #expect(responder.linkEncrypted(.on, at: moment.now) == [])
        #expect(responder.linkEncrypted(.failed(status: 6), at: moment.now) == [])
        #expect(responder.step == .encryption)
        #expect(responder.longTermKeyRequest(ediv: 0, rand: 0) != nil)
        #expect(responder.linkEncrypted(.on, at: moment.now).count == 5)
        #expect(responder.step == .keys)
    }
}
