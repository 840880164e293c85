import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("The security of a link at its central")
struct CentralSecurityTests {
    private let now = Duration.seconds(50)
    private let justWorks = StoredBond(
        keys: SecurityManagerTests.keys, strength: Bond(isSecureConnections: true, isAuthenticated: false))

    private func central(
        bond: StoredBond? = nil, policy: SecurityPolicy = SecurityPolicy()
    ) -> SecurityManager {
        SecurityManager(PairingPair.setup(.initiator, PairingFeatures()), policy: policy, bond: bond)
    }

    @Test("A Security Request of an unknown peripheral starts a pairing")
    func unpaired() {
        var manager = central()
        let outputs = manager.receive([0x0B, 0x01], at: now)
        #expect(outputs == [.send([0x01, 0x04, 0x00, 0x0D, 0x10, 0x0B, 0x0B])])
        #expect(manager.isPairing)
        #expect(manager.deadline == now + .seconds(30))
    }

    @Test("A Security Request may ask the person first, who is not asked again")
    func asks() {
        var policy = SecurityPolicy()
        policy.unpaired = .ask
        var manager = central(policy: policy)
        #expect(manager.receive([0x0B, 0x01], at: now) == [.askConsent])
        #expect(manager.receive([0x0B, 0x01], at: now).allSatisfy { if case .noticed = $0 { true } else { false } })
        let outputs = manager.confirm(true, at: now)
        #expect(outputs == [.send([0x01, 0x04, 0x00, 0x0D, 0x10, 0x0B, 0x0B])])
        let next = manager.receive([0x02, 0x03, 0x00, 0x09, 0x10, 0x02, 0x02], at: now)
        #expect(next.count == 1)
        guard case .send(let packet) = next.first else { return }
        #expect(packet.first == SMPCommand.Code.publicKey.rawValue)
    }

    @Test("A person who refuses, or who takes too long, ends the request")
    func asksInVain() {
        var policy = SecurityPolicy()
        policy.unpaired = .ask
        var manager = central(policy: policy)
        _ = manager.receive([0x0B, 0x01], at: now)
        let end = PairingEnd(.cancelled, by: .local, while: .consent)
        #expect(manager.confirm(false, at: now) == [.send([0x05, 0x08]), .failed(end)])
        #expect(!manager.isClosed)

        _ = manager.receive([0x0B, 0x01], at: now)
        #expect(manager.deadline == now + .seconds(30))
        #expect(manager.advance(to: now + .seconds(29)) == [])
        let timeout = PairingEnd(.timeout, by: .local, while: .consent)
        #expect(manager.advance(to: now + .seconds(30)) == [.failed(timeout)])
        #expect(manager.isClosed)
        #expect(manager.receive([0x0B, 0x01], at: now + .seconds(31)) == [])
    }

    @Test("A peripheral that gives up closes the prompt")
    func peerGivesUp() {
        var policy = SecurityPolicy()
        policy.unpaired = .ask
        var manager = central(policy: policy)
        _ = manager.receive([0x0B, 0x01], at: now)
        let end = PairingEnd(.refused(.unspecifiedReason), by: .peer, while: .consent)
        #expect(manager.receive([0x05, 0x08], at: now) == [.failed(end)])
        _ = manager.receive([0x0B, 0x01], at: now)
        #expect(manager.linkLost(at: now) == [.failed(PairingEnd(.linkLost, by: .link, while: .consent))])
        #expect(manager.isClosed)
    }

    @Test("A Security Request of a bonded peripheral encrypts the link with the peripheral's key")
    func bonded() {
        var manager = central(bond: justWorks)
        #expect(manager.receive([0x0B, 0x01], at: now) == [.encrypt(SecurityManagerTests.peerKey)])
        #expect(manager.protection == .none)
        #expect(manager.linkEncrypted(.on, at: now) == [])
        #expect(manager.protection == .encrypted)
        #expect(manager.keySize == 16)
        // The link is encrypted already.
        #expect(manager.receive([0x0B, 0x01], at: now) == [.noticed("a Security Request, ignored")])
    }

    @Test("A Security Request while the link is being encrypted gets the configured answer")
    func encrypting() {
        var manager = central(bond: justWorks)
        #expect(manager.encryptWithBond(at: now) == [.encrypt(SecurityManagerTests.peerKey)])
        #expect(manager.receive([0x0B, 0x01], at: now).first == .send([0x05, 0x05]))
        manager.policy.encrypting = .refuse(.unspecifiedReason)
        #expect(manager.receive([0x0B, 0x01], at: now).first == .send([0x05, 0x08]))
        manager.policy.encrypting = .ignore
        #expect(manager.receive([0x0B, 0x01], at: now) == [.noticed("a Security Request, ignored")])
        // A second start would confuse the controller.
        for answer in [SecurityPolicy.Answer.pair, .ask, .encrypt] {
            manager.policy.encrypting = answer
            #expect(
                manager.receive([0x0B, 0x01], at: now).allSatisfy { if case .noticed = $0 { true } else { false } })
        }
        #expect(manager.requestPairing(at: now).first.map { if case .failed = $0 { true } else { false } } == true)
        #expect(manager.linkEncrypted(.on, at: now) == [])
        #expect(manager.protection == .encrypted)
    }

    @Test("A peripheral that lost its key is told to the layer above")
    func keyMissing() {
        var manager = central(bond: justWorks)
        _ = manager.encryptWithBond(at: now)
        #expect(manager.linkEncrypted(.failed(status: 0x06), at: now) == [.encryptionFailed(status: 0x06)])
        #expect(manager.protection == .none)
        #expect(!manager.requestPairing(at: now).isEmpty)
        #expect(manager.isPairing)
    }

    @Test("A request for more security than the bond has gets the configured answer")
    func weakBond() {
        var manager = central(bond: justWorks)
        #expect(manager.receive([0x0B, 0x05], at: now) == [.encrypt(SecurityManagerTests.peerKey)])
        _ = manager.linkEncrypted(.on, at: now)
        #expect(manager.receive([0x0B, 0x05], at: now) == [.noticed("a Security Request, ignored")])
        manager.policy.weaklyEncrypted = .pair
        #expect(manager.receive([0x0B, 0x05], at: now).count == 1)
        #expect(manager.isPairing)

        manager = central(bond: justWorks)
        manager.policy.weaklyBonded = .pair
        _ = manager.receive([0x0B, 0x05], at: now)
        #expect(manager.isPairing)
    }

    @Test("A bond without a key of the peripheral counts as none")
    func bondWithoutKey() {
        var bond = justWorks
        bond.keys.peerKey = nil
        var manager = central(bond: bond)
        #expect(manager.encryptWithBond(at: now) == [])
        _ = manager.receive([0x0B, 0x01], at: now)
        #expect(manager.isPairing)
    }

    @Test("A Pairing Request of the peripheral is refused")
    func pairingRequest() {
        var manager = central()
        let outputs = manager.receive([0x01, 0x04, 0x00, 0x0D, 0x10, 0x0B, 0x0B], at: now)
        #expect(outputs == [.send([0x05, 0x07]), .noticed("a Pairing Request from the peripheral")])
        #expect(manager.deadline == nil)
    }

    @Test("A Security Request that crosses the Pairing Request is ignored, or ends the pairing if so configured")
    func crossing() {
        var manager = central()
        _ = manager.requestPairing(at: now)
        #expect(manager.receive([0x0B, 0x01], at: now) == [.noticed("a Security Request during a pairing")])
        #expect(manager.isPairing)
        manager.policy.pairing = .refuse(.unspecifiedReason)
        let outputs = manager.receive([0x0B, 0x01], at: now)
        #expect(outputs.first == .send([0x05, 0x08]))
        #expect(!manager.isPairing)
    }

    @Test("Commands outside a pairing are ignored, or answered if so configured")
    func strayCommands() {
        for (command, _) in SMPCommandTests.samples {
            guard ![.securityRequest, .pairingRequest].contains(command.code) else { continue }
            var manager = central()
            let outputs = manager.receive(command.bytes, at: now)
            #expect(outputs.count == 1)
            guard case .noticed = outputs.first else {
                Issue.record("\(command.code): \(outputs)")
                continue
            }
            manager.policy.strayCommand = .unspecifiedReason
            let answers = manager.receive(command.bytes, at: now)
            // A Pairing Failed is never answered: two phones would go on for ever.
            #expect(answers.contains(.send([0x05, 0x08])) == (command.code != .pairingFailed))
        }
        var manager = central()
        #expect(manager.receive([], at: now) == [.noticed("an empty SMP packet")])
        #expect(manager.receive([0x77], at: now) == [.noticed("a packet with the reserved SMP code 119")])
    }

    @Test("After a pairing ran out of time the link is closed for the Security Manager", .shows("SM/CEN/PROT/BV-01-C"))
    func timeout() {
        var manager = central()
        _ = manager.requestPairing(at: now)
        let outputs = manager.advance(to: now + .seconds(30))
        #expect(outputs == [.failed(PairingEnd(.timeout, by: .peer, while: .response))])
        #expect(manager.isClosed)
        #expect(manager.deadline == nil)
        for sample in SMPCommandTests.samples {
            #expect(manager.receive(sample.command.bytes, at: now + .seconds(31)) == [])
        }
        guard case .failed(let end) = manager.requestPairing(at: now + .seconds(31)).first else {
            Issue.record("a pairing started on a closed link")
            return
        }
        #expect(end.detail == "an earlier pairing ran out of time, or the link is lost")
        #expect(manager.encryptWithBond(at: now + .seconds(31)) == [])
    }

    @Test("A peer that failed a check must wait, whoever asks next")
    func repeatedAttempts() {
        var manager = central()
        _ = manager.requestPairing(at: now)
        _ = manager.receive([0x05, 0x04], at: now)
        #expect(manager.attempts.isWaiting(at: now))
        #expect(manager.receive([0x0B, 0x01], at: now).first == .send([0x05, 0x09]))
        let end = PairingEnd(.refused(.repeatedAttempts), by: .local, while: .idle)
        #expect(manager.requestPairing(at: now) == [.failed(end)])
        #expect(!manager.receive([0x0B, 0x01], at: now + .seconds(1)).isEmpty)
        #expect(manager.isPairing)
    }

    @Test("A pairing over BR/EDR is not supported, and Pairing Failed is not answered")
    func classic() {
        for (command, _) in SMPCommandTests.samples {
            let answer: [UInt8]? = command.code == .pairingFailed ? nil : [0x05, 0x05]
            #expect(SecurityManager.answerOverClassic(command.bytes) == answer)
        }
        #expect(SecurityManager.answerOverClassic([]) == nil)
        #expect(SecurityManager.answerOverClassic([0x99]) == nil)
    }
}
