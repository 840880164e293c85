import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("Keys of a pairing")
struct PairingKeysTests {
    private let legacy = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: false)
    private let secure = PairingScenario(.justWorks, .keyboardDisplay, .noInputNoOutput, isSecure: true)

    @Test(
        "Each set of keys that one end distributes arrives at the other end, and no other one",
        .shows(
            "SM/PER/KDU/BV-01-C", "SM/PER/KDU/BV-02-C", "SM/PER/KDU/BV-08-C", "SM/CEN/KDU/BV-05-C",
            "SM/CEN/KDU/BV-06-C", "SM/CEN/KDU/BV-10-C"), arguments: 0..<16)
    func distribution(bits: Int) throws {
        for var scenario in [legacy, secure] {
            let keys = KeyDistribution(rawValue: UInt8(bits))
            scenario.initiator.responderKeys = keys
            scenario.responder.initiatorKeys = keys
            var pair = scenario.pair()
            pair.run()
            let isSecure = scenario.initiator.supportsSecureConnections
            for role in PairingRole.allCases {
                let result = try #require(pair.result(role)).keys
                let other = try #require(pair.result(role.other)).keys
                #expect((result.peerKey != nil) == (isSecure || keys.contains(.encryption)))
                #expect((result.peerIdentity != nil) == keys.contains(.identity))
                #expect((result.peerSigningKey != nil) == keys.contains(.signing))
                #expect(result.peerSigningKey == other.localSigningKey)
                #expect((result.linkKey != nil) == (isSecure && keys.contains(.link)))
            }
        }
    }

    @Test("The link key follows from the long-term key, by h7 if both ends support it")
    func linkKey() throws {
        for (initiator, responder) in [(true, true), (true, false), (false, true), (false, false)] {
            var scenario = secure
            scenario.initiator.supportsCT2 = initiator
            scenario.responder.supportsCT2 = responder
            var pair = scenario.pair()
            pair.run()
            let keys = try #require(pair.result(.initiator)).keys
            let longTermKey = try #require(keys.localKey).value
            #expect(
                keys.linkKey
                    == SecurityToolbox.linkKey(longTermKey: longTermKey, usesCT2: initiator && responder))
        }
    }

    @Test("Keys have the smaller size of both ends", arguments: 7...16)
    func keySizes(size: Int) throws {
        for var scenario in [legacy, secure] {
            scenario.responder.maximumKeySize = size
            var pair = scenario.pair()
            pair.run()
            for role in PairingRole.allCases {
                let result = try #require(pair.result(role))
                #expect(result.keySize == size)
                for key in [result.keys.localKey, result.keys.peerKey] {
                    let key = try #require(key)
                    #expect(key.size == size)
                    #expect(key.value == key.value.shortened(to: size))
                    #expect(key.value != .zero)
                }
            }
            for case .encrypt(let key) in pair.outputs[.initiator] ?? [] {
                #expect(key.size == size)
                #expect(key.value == key.value.shortened(to: size))
            }
            let keys = try #require(pair.result(.initiator)).keys
            #expect(keys.linkKey == pair.result(.responder)?.keys.linkKey)
            guard let linkKey = keys.linkKey, let longTermKey = keys.localKey else { continue }
            // The link key comes from the whole long-term key.
            let isWhole = linkKey == SecurityToolbox.linkKey(longTermKey: longTermKey.value, usesCT2: false)
            #expect(isWhole == (size == 16))
        }
    }

    @Test("If one end does not bond, no keys are distributed and none are kept", arguments: PairingRole.allCases)
    func noBonding(role: PairingRole) throws {
        for var scenario in [legacy, secure] {
            if role == .initiator { scenario.initiator.bonds = false } else { scenario.responder.bonds = false }
            var pair = scenario.pair()
            pair.run()
            for role in PairingRole.allCases {
                let result = try #require(pair.result(role))
                #expect(!result.isBonded)
                #expect(result.bond == nil)
                #expect(result.keys.peerIdentity == nil)
                #expect(result.keys.linkKey == nil)
            }
        }
    }

    @Test("An end without an identity does not announce one")
    func noIdentity() throws {
        var pair = secure.pair()
        for role in PairingRole.allCases {
            var setup = PairingPair.setup(role, role == .initiator ? secure.initiator : secure.responder)
            setup.identity = nil
            pair.sessions[role] = PairingSession(setup)
        }
        pair.run()
        #expect(try #require(pair.result(.initiator)).keys.peerIdentity == nil)
        #expect(try #require(pair.result(.responder)).keys.peerIdentity == nil)
    }

    @Test("A pairing response with a key that was not requested is invalid", arguments: [5, 6])
    func unaskedKeys(index: Int) {
        var scenario = secure
        scenario.initiator.initiatorKeys = .identity
        scenario.initiator.responderKeys = .identity
        var pair = scenario.pair()
        pair.tamper = { sender, packet in
            var packet = packet
            if sender == .responder && packet.first == 0x02 { packet[index] |= 0x04 }
            return packet
        }
        pair.run()
        #expect(pair.end(.initiator)?.cause == .refused(.invalidParameters))
        #expect(pair.end(.initiator)?.step == .response)
    }

    @Test("Reserved key bits of the peer change nothing")
    func reservedKeys() {
        var pair = secure.pair()
        pair.tamper = { sender, packet in
            var packet = packet
            if sender == .responder && packet.first == 0x02 { packet[5] |= 0xF0 }
            return packet
        }
        pair.run()
        #expect(pair.result(.initiator) != nil)
        #expect(pair.result(.responder) != nil)
    }

    @Test("Keys in another order are refused", arguments: PairingRole.allCases)
    func wrongOrder(role: PairingRole) throws {
        for scenario in [legacy, secure] {
            var pair = scenario.pair()
            pair.run()
            let keys = pair.sent.filter { $0.from != role && (0x06...0x0A).contains($0.packet[0]) }.map(\.packet)
            let moment = try #require(
                pair.moments.first { $0.sessions[role]?.step == .keys && $0.next?.packet == keys[0] })
            for packet in keys.dropFirst() {
                var session = try #require(moment.sessions[role])
                let outputs = session.receive(packet, at: moment.now)
                #expect(outputs.first == .send([0x05, 0x08]))
                #expect(!session.isActive)
            }
        }
    }

    @Test("A private identity address is refused", arguments: ["5A:00:00:00:00:01", "3A:00:00:00:00:01"])
    func privateIdentity(text: String) {
        for (role, scenario) in [(PairingRole.initiator, legacy), (.responder, secure)] {
            var pair = scenario.pair()
            let address = SMPCommand.identityAddressInformation(SMPTest.address(text, isRandom: true)).bytes
            pair.tamper = { sender, packet in sender != role && packet.first == 0x09 ? address : packet }
            pair.run()
            #expect(pair.end(role)?.cause == .refused(.invalidParameters))
            #expect(pair.end(role)?.detail.contains("private address") == true)
        }
    }

    @Test("A peer that does not send a key fails by time, and the end says which key is missing")
    func missingKey() throws {
        for (code, scenario) in [
            (SMPCommand.Code.encryptionInformation, legacy), (.centralIdentification, legacy),
            (.identityInformation, secure), (.identityAddressInformation, legacy), (.signingInformation, secure),
        ] {
            for role in PairingRole.allCases {
                var pair = scenario.pair()
                var isGone = false
                pair.tamper = { sender, packet in
                    isGone = isGone || sender != role && packet.first == code.rawValue
                    return isGone && sender != role ? nil : packet
                }
                pair.run()
                var session = try #require(pair.sessions[role])
                let deadline = try #require(session.deadline)
                let outputs = session.advance(to: deadline)
                guard case .failed(let end) = outputs.first else {
                    Issue.record("no end for \(code): \(outputs)")
                    continue
                }
                #expect(end.cause == .timeout)
                #expect(end.step == .keys)
                #expect(end.side == .peer)
                #expect(end.detail.hasPrefix("missing: \(code)"))
            }
        }
    }
}
