import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases SM of the Bluetooth SIG for what one link does after, before and around a pairing. Both ends are phones.
@Suite("SIG cases: keys of bonds, and Security Requests")
struct SIGSecurityRequestTests {
    private typealias Link = SecurityManagerTests.Link

    private func legacy(keySize: Int = 16) -> PairingFeatures {
        var features = PairingFeatures()
        features.supportsSecureConnections = false
        features.asksForAuthentication = false
        features.maximumKeySize = keySize
        return features
    }

    @Test(
        "The shortest key encrypts the link, and the next one with the key of the bond",
        .shows("SM/CEN/EKS/BV-01-C", "SM/PER/EKS/BV-02-C"), arguments: [true, false])
    func shortestKey(isSecure: Bool) throws {
        var features = isSecure ? PairingFeatures() : legacy()
        features.maximumKeySize = 7
        var link = Link(features)
        link.act(.initiator) { $0.requestPairing(at: $1) }
        var bonds: [PairingRole: StoredBond] = [:]
        for role in PairingRole.allCases {
            #expect(link.managers[role]?.keySize == 7)
            bonds[role] = try #require(link.managers[role]?.bond)
        }
        var next = Link(bonds: bonds)
        next.act(.initiator) { $0.encryptWithBond(at: $1) }
        for role in PairingRole.allCases {
            #expect(next.managers[role]?.protection != LinkProtection.none)
            #expect(next.managers[role]?.keySize == 7)
        }
    }

    @Test(
        "After legacy pairing, the same link is encrypted again with the distributed key", .shows("SM/PER/KDU/BV-07-C"))
    func encryptsAgain() throws {
        var link = Link(legacy())
        link.act(.initiator) { $0.requestPairing(at: $1) }
        let distributed = try #require(link.managers[.responder]?.bond?.keys.localKey)
        #expect(distributed.ediv != 0 || distributed.rand != 0)
        let given = link.managers[.responder]?.longTermKeyRequest(ediv: distributed.ediv, rand: distributed.rand)
        #expect(given == distributed)
        link.act(.responder) { $0.linkEncrypted(.on, at: $1) }
        #expect(link.managers[.responder]?.protection == .encrypted)
    }

    @Test(
        "A Security Request for an authenticated key leads to a pairing",
        .shows("SM/PER/PIS/BV-01-C", "SM/CEN/PIS/BV-02-C"))
    func requestPairs() throws {
        var link = Link(HostPersonality.iPhone.pairing)
        var requests: [[UInt8]] = []
        link.act(.responder) { manager, now in
            let outputs = manager.requestPairing(at: now)
            for case .send(let packet) in outputs { requests.append(packet) }
            return outputs
        }
        #expect(requests == [[0x0B, 0x0D]])
        for role in PairingRole.allCases {
            #expect(try #require(link.results[role]).isBonded)
            #expect(link.managers[role]?.protection == .secureConnections)
        }
    }

    @Test("With a bond, a Security Request leads to encryption", .shows("SM/PER/PIS/BV-02-C"))
    func requestEncrypts() throws {
        var link = Link(legacy())
        link.act(.initiator) { $0.requestPairing(at: $1) }
        var bonds: [PairingRole: StoredBond] = [:]
        for role in PairingRole.allCases { bonds[role] = try #require(link.managers[role]?.bond) }
        var next = Link(bonds: bonds, legacy())
        var sent: [PairingSession.Output] = []
        next.act(.responder) { manager, now in
            sent = manager.encryptWithBond(at: now)
            return sent
        }
        // Bonding, without protection against a man in the middle.
        #expect(sent == [.send([0x0B, 0x01])])
        #expect(next.results.isEmpty, "nobody pairs")
        for role in PairingRole.allCases { #expect(next.managers[role]?.protection == .encrypted) }
    }

    @Test(
        "Without a bond a Security Request leads to a pairing; a second one meanwhile changes nothing",
        .shows("SM/CEN/PIS/BV-03-C"))
    func twoRequests() throws {
        let request: [UInt8] = [0x0B, 0x01]
        var pair = PairingPair.phone(.initiator, tester: .noInputNoOutput, isSecure: true, asksForAuthentication: false)
        var central = SecurityManager(PairingPair.setup(.initiator, HostPersonality.iPhone.pairing))
        guard case .send(let first)? = central.receive(request, at: pair.now).first else {
            return #expect(Bool(false), "no Pairing Request")
        }
        #expect(first.first == 0x01)
        let second = central.receive(request, at: pair.now)
        #expect(second == [.noticed("a Security Request during a pairing")])
        // The pairing goes on from there.
        guard case .pairing(let session) = central.state else { return #expect(Bool(false), "no pairing") }
        pair.sessions[.initiator] = session
        pair.deliver(first, from: .initiator)
        #expect(pair.isEncrypted)
        #expect(pair.result(.initiator)?.method == .justWorks)
    }
}
