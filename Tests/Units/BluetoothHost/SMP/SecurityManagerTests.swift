import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Two security managers on one link")
struct SecurityManagerTests {
    static let localKey = LongTermKey(
        value: Value128(high: 0, low: 0xABCD), ediv: 0x1234, rand: 5, size: 10)
    static let peerKey = LongTermKey(value: Value128(high: 1, low: 2), ediv: 7, rand: 8, size: 16)
    static var keys: KeySet {
        var keys = KeySet()
        keys.localKey = localKey
        keys.peerKey = peerKey
        return keys
    }
    static let bond = StoredBond(keys: keys, strength: Bond(isSecureConnections: false, isAuthenticated: true))

    /// A link of two managers with willing people.
    struct Link {
        var managers: [PairingRole: SecurityManager] = [:]
        var results: [PairingRole: PairingResult] = [:]
        var now = Duration.seconds(1)

        init(bonds: [PairingRole: StoredBond] = [:], _ features: PairingFeatures = PairingFeatures(), seed: UInt64 = 1)
        {
            for role in PairingRole.allCases {
                let setup = PairingPair.setup(role, features, seed: seed)
                managers[role] = SecurityManager(setup, bond: bonds[role])
            }
        }

        mutating func act(
            _ role: PairingRole, _ body: (inout SecurityManager, Duration) -> [SecurityManager.Output]
        ) {
            guard var manager = managers[role] else { return }
            now += .milliseconds(1)
            let outputs = body(&manager, now)
            managers[role] = manager
            for output in outputs {
                switch output {
                case .send(let packet): act(role.other) { $0.receive(packet, at: $1) }
                case .askConsent, .compare: act(role) { $0.confirm(true, at: $1) }
                case .completed(let result): results[role] = result
                case .encrypt(let key): encrypt(with: key)
                default: break
                }
            }
        }

        private mutating func encrypt(with key: LongTermKey) {
            let other = managers[.responder]?.longTermKeyRequest(ediv: key.ediv, rand: key.rand)
            let encryption: SecurityManager.Encryption = other == key ? .on : .failed(status: 6)
            act(.responder) { $0.linkEncrypted(encryption, at: $1) }
            act(.initiator) { $0.linkEncrypted(encryption, at: $1) }
        }
    }

    @Test(
        "A pairing protects both ends, and its bond encrypts the next link", arguments: [true, false], [true, false])
    func pairsAndComesBack(isSecure: Bool, peripheralStarts: Bool) throws {
        var features = PairingFeatures()
        features.supportsSecureConnections = isSecure
        features.asksForAuthentication = isSecure
        var link = Link(features)
        link.act(peripheralStarts ? .responder : .initiator) { $0.requestPairing(at: $1) }
        let expected: LinkProtection = isSecure ? .secureConnections : .encrypted
        var bonds: [PairingRole: StoredBond] = [:]
        for role in PairingRole.allCases {
            let manager = try #require(link.managers[role])
            #expect(manager.protection == expected)
            #expect(manager.keySize == 16)
            #expect(!manager.isPairing)
            #expect(manager.deadline == nil)
            let bond = try #require(manager.bond)
            bonds[role] = bond
        }

        var next = Link(bonds: bonds)
        next.act(peripheralStarts ? .responder : .initiator) { $0.encryptWithBond(at: $1) }
        for role in PairingRole.allCases {
            #expect(next.managers[role]?.protection == expected)
            #expect(next.managers[role]?.deadline == nil)
        }
        #expect(next.results.isEmpty)
    }

    @Test("A bonded link pairs again, and the new bond replaces the old one")
    func pairsAgain() throws {
        var link = Link()
        link.act(.initiator) { $0.requestPairing(at: $1) }
        let first = try #require(link.managers[.initiator]?.bond)
        link.act(.initiator) { $0.encryptWithBond(at: $1) }
        link.act(.initiator) { $0.requestPairing(hasConsent: true, at: $1) }
        let second = try #require(link.managers[.initiator]?.bond)
        #expect(first != second)
        #expect(second.keys.peerKey == link.managers[.responder]?.bond?.keys.localKey)
    }

    @Test("A pairing without bonding protects the link and leaves the old bond")
    func pairsWithoutBond() {
        var features = PairingFeatures()
        features.bonds = false
        features.asksForAuthentication = false
        var link = Link(bonds: [.initiator: Self.bond], features)
        link.act(.initiator) { $0.requestPairing(at: $1) }
        #expect(link.managers[.initiator]?.protection == .encrypted)
        #expect(link.managers[.initiator]?.bond == Self.bond)
        #expect(link.managers[.responder]?.bond == nil)
    }

    @Test("A pairing in progress is not started a second time")
    func oneAtATime() {
        var manager = SecurityManager(PairingPair.setup(.initiator, PairingFeatures()))
        #expect(manager.requestPairing(at: .zero).count == 1)
        #expect(manager.requestPairing(at: .zero) == [])
        #expect(manager.encryptWithBond(at: .zero) == [])
    }

    @Test("Cancelling ends a pairing or a question, and nothing else")
    func cancels() {
        var manager = SecurityManager(PairingPair.setup(.initiator, PairingFeatures()))
        #expect(manager.cancel(at: .zero) == [])
        _ = manager.requestPairing(at: .zero)
        #expect(manager.cancel(at: .zero).first == .send([0x05, 0x08]))
        manager.policy.unpaired = .ask
        _ = manager.receive([0x0B, 0x01], at: .zero)
        #expect(manager.cancel(at: .zero).last == .failed(PairingEnd(.cancelled, by: .local, while: .consent)))
        #expect(!manager.isPairing)
    }

    @Test("A link that is lost in a pairing fails it, and nothing follows")
    func linkLost() {
        var manager = SecurityManager(PairingPair.setup(.initiator, PairingFeatures()))
        _ = manager.requestPairing(at: .zero)
        #expect(manager.linkLost(at: .zero) == [.failed(PairingEnd(.linkLost, by: .link, while: .response))])
        #expect(manager.isClosed)
        #expect(manager.linkLost(at: .zero) == [])
        #expect(manager.confirm(true, at: .zero) == [])
        #expect(manager.linkEncrypted(.on, at: .zero) == [])
        #expect(manager.protection == .none)
    }

    @Test("A key of Secure Connections from the pairing comes before that of the old bond")
    func keyOfThePairing() throws {
        var link = Link()
        link.act(.initiator) { $0.requestPairing(at: $1) }
        let old = try #require(link.managers[.responder]?.bond?.keys.localKey)
        var again = Link(bonds: [.responder: try #require(link.managers[.responder]?.bond)], seed: 5)
        // The central means the old key, but its controller never tells of the encryption.
        let given = again.managers[.responder]?.longTermKeyRequest(ediv: 0, rand: 0)
        #expect(given == old)
        again.act(.initiator) { $0.requestPairing(at: $1) }
        #expect(again.results[.responder]?.keys.localKey != nil)
        #expect(again.results[.initiator]?.keys.peerKey != nil)
        #expect(again.results[.initiator]?.keys.peerKey != old)
    }

    @Test("Bonds are stored and read back, and each role uses the other end's key")
    func bonds() throws {
        let stored = try JSONEncoder().encode(Self.bond)
        #expect(try JSONDecoder().decode(StoredBond.self, from: stored) == Self.bond)
        #expect(LinkProtection(Bond(isSecureConnections: true, isAuthenticated: true)) == .secureConnections)
        #expect(LinkProtection(Bond(isSecureConnections: false, isAuthenticated: true)) == .authenticated)
        #expect(LinkProtection(Bond(isSecureConnections: true, isAuthenticated: false)) == .encrypted)
        #expect(Self.bond.keys.key(for: .initiator) == Self.peerKey)
        #expect(Self.bond.keys.key(for: .responder) == Self.localKey)
    }

    @Test("Random packets and answers in any state never trap")
    func fuzz() {
        var numbers = SeededNumbers(seed: 0xB0B0)
        var count = 0
        while count < SMPTest.fuzzCount {
            let role = PairingRole.allCases[count % 2]
            let bond = Bool.random(using: &numbers) ? Self.bond : nil
            var policy = SecurityPolicy()
            policy.unpaired = Bool.random(using: &numbers) ? .ask : .pair
            policy.pairingRequest = policy.unpaired
            policy.strayCommand = Bool.random(using: &numbers) ? .unspecifiedReason : nil
            var manager = SecurityManager(
                PairingPair.setup(role, PairingFeatures(), seed: UInt64(count)), policy: policy, bond: bond)
            var now = Duration.seconds(1)
            for _ in 0..<40 {
                count += 1
                now += .milliseconds(Int.random(in: 0...1_500, using: &numbers))
                let outputs = disturb(&manager, at: now, using: &numbers)
                #expect(outputs.count <= 12)
                if let deadline = manager.deadline { #expect(deadline <= now + .seconds(30)) }
            }
        }
    }

    private func disturb(
        _ manager: inout SecurityManager, at now: Duration, using numbers: inout SeededNumbers
    ) -> [SecurityManager.Output] {
        switch Int.random(in: 0...19, using: &numbers) {
        case 0: manager.requestPairing(at: now)
        case 1: manager.encryptWithBond(at: now)
        case 2: manager.confirm(Bool.random(using: &numbers), at: now)
        case 3: manager.enterPasskey(Bool.random(using: &numbers) ? 123_456 : nil, at: now)
        case 4: manager.linkEncrypted(Bool.random(using: &numbers) ? .on : .failed(status: 6), at: now)
        case 5: manager.longTermKeyRequest(ediv: 0, rand: 0) == nil ? [] : manager.linkEncrypted(.on, at: now)
        case 6: manager.longTermKeyRequest(ediv: 0x1234, rand: 5) == nil ? [] : manager.linkEncrypted(.on, at: now)
        case 7: manager.press(.cleared, at: now)
        case 8: manager.cancel(at: now)
        case 9: manager.advance(to: now)
        default: manager.receive(PairingFuzz.packet(near: nil, using: &numbers), at: now)
        }
    }
}
