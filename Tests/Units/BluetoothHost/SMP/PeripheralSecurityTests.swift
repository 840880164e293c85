import RadioModel
import Testing

@testable import HILBluetoothHost

@Suite("The security of a link at its peripheral")
struct PeripheralSecurityTests {
    private let now = Duration.seconds(50)
    private let request: [UInt8] = [0x01, 0x03, 0x00, 0x09, 0x10, 0x02, 0x02]

    private func peripheral(bond: StoredBond? = nil) -> SecurityManager {
        SecurityManager(PairingPair.setup(.responder, PairingFeatures()), bond: bond)
    }

    @Test("A Pairing Request is answered, and the person is asked")
    func pairingRequest() {
        var manager = peripheral()
        #expect(
            manager.receive(request, at: now) == [.send([0x02, 0x04, 0x00, 0x0D, 0x10, 0x02, 0x02]), .askConsent])
        #expect(manager.isPairing)
    }

    @Test("A Pairing Request may wait for the person, and a second one changes nothing")
    func asks() {
        var manager = peripheral()
        manager.policy.pairingRequest = .ask
        #expect(manager.receive(request, at: now) == [.askConsent])
        #expect(manager.receive(request, at: now) == [.noticed("a second Pairing Request while the person is asked")])
        #expect(manager.confirm(true, at: now) == [.send([0x02, 0x04, 0x00, 0x0D, 0x10, 0x02, 0x02])])
    }

    @Test("A Pairing Request may be refused or ignored")
    func refuses() {
        var manager = peripheral()
        manager.policy.pairingRequest = .refuse(.pairingNotSupported)
        #expect(manager.receive(request, at: now).first == .send([0x05, 0x05]))
        manager.policy.pairingRequest = .ignore
        #expect(manager.receive(request, at: now) == [.noticed("a Pairing Request, ignored")])
    }

    @Test("A bonded central that pairs again gets the configured answer")
    func bondedPairingRequest() {
        var manager = peripheral(bond: SecurityManagerTests.bond)
        manager.policy.bondedPairingRequest = .refuse(.keyRejected)
        #expect(manager.receive(request, at: now).first == .send([0x05, 0x0F]))
        manager.policy.bondedPairingRequest = .pair
        #expect(manager.receive(request, at: now).count == 2)
    }

    @Test("A Security Request of the central is refused")
    func securityRequest() {
        var manager = peripheral()
        #expect(manager.receive([0x0B, 0x01], at: now).first == .send([0x05, 0x07]))
    }

    @Test("A Security Request waits 30 s for the central")
    func ownRequest() {
        var manager = peripheral()
        #expect(manager.requestPairing(at: now) == [.send([0x0B, 0x0D])])
        #expect(manager.requestPairing(at: now) == [])
        #expect(manager.deadline == now + .seconds(30))
        let end = PairingEnd(.timeout, by: .peer, while: .askingForSecurity)
        #expect(manager.advance(to: now + .seconds(30)) == [.failed(end)])
        #expect(manager.isClosed)
    }

    @Test("A Security Request that the central refuses or answers is over")
    func ownRequestAnswered() {
        var manager = peripheral()
        _ = manager.requestPairing(at: now)
        let end = PairingEnd(.refused(.pairingNotSupported), by: .peer, while: .askingForSecurity)
        #expect(manager.receive([0x05, 0x05], at: now) == [.failed(end)])
        #expect(manager.deadline == nil)

        // The person of this device wants it, so nobody is asked whether to answer.
        manager.policy.pairingRequest = .refuse(.pairingNotSupported)
        _ = manager.requestPairing(at: now)
        _ = manager.receive(request, at: now)
        #expect(manager.isPairing)

        manager = peripheral()
        _ = manager.requestPairing(at: now)
        #expect(manager.linkLost(at: now) == [.failed(PairingEnd(.linkLost, by: .link, while: .askingForSecurity))])
    }

    @Test("The central's key request gets the key that this device distributed, and only that")
    func keyRequests() {
        var manager = peripheral(bond: SecurityManagerTests.bond)
        #expect(manager.encryptWithBond(at: now) == [.send([0x0B, 0x0D])])
        #expect(manager.longTermKeyRequest(ediv: 0, rand: 0) == nil)
        #expect(manager.longTermKeyRequest(ediv: 0x1234, rand: 6) == nil)
        #expect(manager.linkEncrypted(.on, at: now) == [])
        #expect(manager.protection == .none)
        #expect(manager.longTermKeyRequest(ediv: 0x1234, rand: 5) == SecurityManagerTests.localKey)
        #expect(manager.linkEncrypted(.on, at: now) == [])
        #expect(manager.protection == .authenticated)
        #expect(manager.keySize == 10)
        #expect(manager.deadline == nil)
    }

    @Test("A failed encryption with the key of the bond is told to the layer above")
    func encryptionFails() {
        var manager = peripheral(bond: SecurityManagerTests.bond)
        _ = manager.longTermKeyRequest(ediv: 0x1234, rand: 5)
        #expect(manager.linkEncrypted(.failed(status: 0x3D), at: now) == [.encryptionFailed(status: 0x3D)])
    }

    @Test("A closed link gives no key")
    func closedLink() {
        var manager = peripheral(bond: SecurityManagerTests.bond)
        _ = manager.linkLost(at: now)
        #expect(manager.longTermKeyRequest(ediv: 0x1234, rand: 5) == nil)
        #expect(manager.isClosed)
    }
}
