import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// What may happen at any moment of a pairing, tried at each moment.
@Suite("Ends of a pairing at each step")
struct PairingEndTests {
    /// The sessions of a scenario at each moment, with what moves there.
    private func sessions(
        of scenario: PairingScenario, _ body: (PairingSession, PairingRole, PairingPair.Moment) throws -> Void
    ) rethrows {
        for quickPerson in PairingRole.allCases {
            var pair = scenario.pair()
            pair.quickPerson = quickPerson
            pair.run()
            #expect(pair.result(.initiator) != nil)
            for moment in pair.moments {
                for role in PairingRole.allCases {
                    guard let session = moment.sessions[role], session.isActive else { continue }
                    try body(session, role, moment)
                }
            }
        }
    }

    private func expectSilence(_ session: PairingSession, at now: Duration) {
        var session = session
        #expect(!session.isActive)
        #expect(session.deadline == nil)
        for sample in SMPCommandTests.samples { #expect(session.receive(sample.command.bytes, at: now) == []) }
        #expect(session.start(at: now) == [])
        #expect(session.confirm(true, at: now) == [])
        #expect(session.enterPasskey(1, at: now) == [])
        #expect(session.linkEncrypted(.on, at: now) == [])
        #expect(session.longTermKeyRequest(ediv: 0, rand: 0) == nil)
        #expect(session.press(.cleared, at: now) == [])
        #expect(session.advance(to: now + .seconds(1_000)) == [])
        #expect(session.cancel(at: now) == [])
        #expect(session.linkLost() == [])
    }

    @Test(
        "The peer gives each reason at each step",
        .shows(
            "SM/CEN/JW/BV-05-C", "SM/CEN/PKE/BI-02-C", "SM/CEN/SCJW/BI-01-C", "SM/PER/SCJW/BI-02-C",
            "SM/CEN/SCPK/BI-01-C", "SM/PER/SCPK/BI-04-C", "SM/PER/KDU/BI-02-C", "SM/PER/KDU/BI-03-C"),
        arguments: PairingScenario.all)
    func peerFails(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            for value: UInt8 in [0x00] + Array(0x01...0x11) + [0xFF] {
                var session = session
                let step = session.step
                let outputs = session.receive([0x05, value], at: moment.now)
                let cause = PairingEnd.Cause.refused(PairingFailure(rawValue: value))
                #expect(outputs == [.failed(PairingEnd(cause, by: .peer, while: step))])
                expectSilence(session, at: moment.now)
            }
        }
    }

    @Test("The link is lost at each step", arguments: PairingScenario.all)
    func linkLost(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            var session = session
            let step = session.step
            #expect(session.linkLost() == [.failed(PairingEnd(.linkLost, by: .link, while: step))])
            expectSilence(session, at: moment.now)
        }
    }

    @Test("The person cancels at each step, and the peer is told", arguments: PairingScenario.all)
    func cancelled(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            var session = session
            let step = session.step
            let outputs = session.cancel(at: moment.now)
            #expect(outputs.count == 2)
            #expect(outputs.last == .failed(PairingEnd(.cancelled, by: .local, while: step)))
            guard case .send(let packet) = outputs.first else { return }
            #expect(packet.first == 0x05)
            if step == .passkey { #expect(packet == [0x05, 0x01]) }
            if step == .comparison { #expect(packet == [0x05, 0x0C]) }
            expectSilence(session, at: moment.now)
        }
    }

    @Test("Time runs out 30 s after the last command that was sent, and not before", arguments: PairingScenario.all)
    func timeouts(scenario: PairingScenario) throws {
        try sessions(of: scenario) { session, _, moment in
            var session = session
            let step = session.step
            let deadline = try #require(session.deadline)
            #expect(deadline <= moment.now + .seconds(30))
            #expect(session.advance(to: deadline - .nanoseconds(1)) == [])
            guard case .failed(let end) = session.advance(to: deadline).first else {
                Issue.record("no end while \(step.rawValue)")
                return
            }
            #expect(end.cause == .timeout)
            #expect(end.step == step)
            #expect(end.side == (step.waitsForPerson ? .local : step == .encryption ? .link : .peer))
            #expect(session.hasTimedOut)
            expectSilence(session, at: deadline)
        }
    }

    @Test("A packet that comes too late finds the pairing failed", arguments: PairingScenario.all)
    func lateInputs(scenario: PairingScenario) throws {
        try sessions(of: scenario) { session, role, moment in
            let deadline = try #require(session.deadline)
            let inputs: [(inout PairingSession) -> [PairingSession.Output]] = [
                { $0.receive(moment.next?.packet ?? [0x05, 0x08], at: deadline) },
                { $0.confirm(true, at: deadline) },
                { $0.enterPasskey(123_456, at: deadline) },
                { $0.linkEncrypted(.on, at: deadline) },
                { $0.cancel(at: deadline) },
            ]
            for input in inputs {
                var session = session
                let outputs = input(&session)
                #expect(outputs.count == 1)
                #expect(session.hasTimedOut)
            }
        }
    }

    @Test("The time starts anew with each command that is sent, and not with one that is received")
    func timerRestart() throws {
        var pair = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false).pair()
        pair.run()
        var initiator = PairingSession(try #require(pair.sessions[.initiator]).setup)
        #expect(initiator.deadline == nil)
        _ = initiator.start(at: .seconds(5))
        #expect(initiator.deadline == .seconds(35))
        let response = try #require(pair.sent.first { $0.from == .responder }).packet
        #expect(initiator.receive(response, at: .seconds(20)) == [.askConsent])
        #expect(initiator.deadline == .seconds(35))
        _ = initiator.confirm(true, at: .seconds(30))
        #expect(initiator.deadline == .seconds(60))
    }

    /// The commands that may come at a step.
    private func due(_ session: PairingSession, role: PairingRole) -> Set<SMPCommand.Code> {
        let keys: Set<SMPCommand.Code> = [
            .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation,
        ]
        let isResponder = role == .responder
        switch session.step {
        case .idle: return isResponder ? [.pairingRequest] : []
        case .response: return [.pairingResponse]
        case .consent: return isResponder ? [.publicKey, .pairingConfirm] : []
        case .publicKey: return [.publicKey]
        case .passkey: return isResponder ? [.pairingConfirm] : []
        case .confirm: return [.pairingConfirm]
        case .random: return [.pairingRandom]
        case .comparison: return isResponder ? [.dhKeyCheck] : []
        case .check: return [.dhKeyCheck]
        case .encryption, .keys: return keys
        case .askingForSecurity: return []
        }
    }

    @Test("A command that is not due ends the pairing at each step", arguments: PairingScenario.all)
    func unexpectedCommands(scenario: PairingScenario) {
        sessions(of: scenario) { session, role, moment in
            let due = due(session, role: role)
            for (command, _) in SMPCommandTests.samples where command.code != .pairingFailed {
                if due.contains(command.code) { continue }
                var session = session
                let step = session.step
                let outputs = session.receive(command.bytes, at: moment.now)
                let detail = "it sent a \(command.code) that was not due"
                let end = PairingEnd(.refused(.unspecifiedReason), by: .local, while: step, detail: detail)
                #expect(outputs == [.send([0x05, 0x08]), .failed(end)])
                expectSilence(session, at: moment.now)
            }
        }
    }

    @Test("An invalid command ends the pairing at each step with Invalid Parameters", arguments: PairingScenario.all)
    func invalidCommands(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            for packet: [UInt8] in [[], [0x03, 1], [0x0C], [0x01, 9, 9, 9, 9, 9, 9], [0x05]] {
                var session = session
                let outputs = session.receive(packet, at: moment.now)
                #expect(outputs.first == .send([0x05, 0x0A]))
                guard case .failed(let end) = outputs.last else { continue }
                #expect(end.detail.hasPrefix("it sent an"))
                #expect(end.cause == .refused(.invalidParameters))
            }
            var session = session
            // Reserved codes are ignored (3.3).
            let notice = PairingSession.Output.noticed("a packet with the reserved SMP code 127")
            #expect(session.receive([0x7F, 1, 2], at: moment.now) == [notice])
            #expect(session.isActive)
        }
    }

    @Test("The same command twice ends the pairing, also while the person is asked", arguments: PairingScenario.all)
    func repeatedCommands(scenario: PairingScenario) {
        sessions(of: scenario) { session, role, moment in
            guard let next = moment.next, next.to == role else { return }
            var session = session
            _ = session.receive(next.packet, at: moment.now)
            guard session.isActive, session.step != .keys else { return }
            let outputs = session.receive(next.packet, at: moment.now)
            // A packet of key distribution may be kept until the link is encrypted.
            if session.step == .encryption && session.isActive { return }
            guard case .failed(let end) = outputs.last else {
                Issue.record("\(session.step.rawValue): \(outputs)")
                return
            }
            #expect(end.cause == .refused(.unspecifiedReason) || end.cause == .refused(.confirmValueFailed))
        }
    }

    @Test("No more early commands are kept than the features allow")
    func earlyCommandLimit() throws {
        let scenario = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)
        var isTried = false
        sessions(of: scenario) { session, _, moment in
            guard session.step == .encryption else { return }
            isTried = true
            var session = session
            let packet = SMPCommand.identityInformation(.zero).bytes
            for _ in 0..<5 { #expect(session.receive(packet, at: moment.now) == []) }
            #expect(session.receive(packet, at: moment.now).first == .send([0x05, 0x08]))
        }
        #expect(isTried)
    }

    @Test("Answers of people that nobody asked for change nothing", arguments: PairingScenario.all)
    func unaskedAnswers(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            var session = session
            let step = session.step
            if step != .consent && step != .comparison {
                #expect(session.confirm(true, at: moment.now) == [])
                #expect(session.confirm(false, at: moment.now) == [])
            }
            if step != .passkey { #expect(session.enterPasskey(1, at: moment.now) == []) }
            #expect(session.step == step)
        }
    }

    @Test("A cancelled passkey ends the pairing on both ends, also where it is shown", arguments: PairingScenario.all)
    func cancelledPasskey(scenario: PairingScenario) {
        sessions(of: scenario) { session, _, moment in
            var session = session
            let step = session.step
            let outputs = session.enterPasskey(step == .passkey ? 1_000_000 : nil, at: moment.now)
            guard scenario.method.isPasskeyEntry, session.step == .idle else { return }
            #expect(outputs.first == .send([0x05, 0x01]))
            #expect(outputs.last == .failed(PairingEnd(.cancelled, by: .local, while: step)))
        }
    }

    @Test("An end says in words what happened, while what, and who did it")
    func words() {
        let end = PairingEnd(.refused(.confirmValueFailed), by: .peer, while: .random)
        #expect(
            "\(end)"
                == "pairing failed: Confirm Value Failed (0x04): the confirm value does not match the random number, by "
                + "the peer, while waiting for the peer's random number")
        let timeout = PairingEnd(.timeout, by: .peer, while: .keys, detail: "missing: Identity Information")
        #expect(
            "\(timeout)"
                == "pairing failed: time ran out (missing: Identity Information), by the peer, while waiting for the "
                + "peer's keys")
    }
}
