import RadioModel
import TestSupport
import Testing

@testable import HILBluetoothHost

/// Cases SM/CEN of the Bluetooth SIG where the responder has another passkey, and goes on as if it were the right one.
@Suite("SIG cases: a responder with another passkey")
struct SIGWrongPasskeyTests {
    /// The responder's values for a passkey of its own, in place of those of a responder that refuses first.
    private struct Tester {
        private static let random = Value128(high: 0x0123, low: 0x4567)

        let passkey: UInt32
        private var request: PairingParameters?
        private var response: PairingParameters?
        private var keys: [PairingRole: PairingPublicKey] = [:]
        private var round = 0

        init(passkey: UInt32) { self.passkey = passkey }

        /// What arrives of a packet.
        mutating func change(_ sender: PairingRole, _ packet: [UInt8]) -> [UInt8] {
            switch try? SMPCommand(packet) {
            case .pairingRequest(let parameters): request = parameters
            case .pairingResponse(let parameters): response = parameters
            case .publicKey(let key): keys[sender] = key
            case .pairingConfirm where sender == .responder:
                guard let confirm else { break }
                return SMPCommand.pairingConfirm(confirm).bytes
            case .pairingRandom where sender == .responder:
                round += 1
                return SMPCommand.pairingRandom(Self.random).bytes
            default: break
            }
            return packet
        }

        private var confirm: Value128? {
            if let own = keys[.responder], let peer = keys[.initiator] {
                let bit = UInt8(passkey >> UInt32(round) & 1)
                return SecurityToolbox.f4(u: own.x, v: peer.x, x: Self.random, z: 0x80 | bit)
            }
            guard let request, let response else { return nil }
            let setup = PairingPair.setup(.initiator, PairingFeatures())
            return SecurityToolbox.c1(
                key: Value128(high: 0, low: UInt64(passkey)), random: Self.random,
                features: PairingFeatureExchange(request: request, response: response),
                addresses: PairingAddresses(initiator: setup.local, responder: setup.peer))
        }
    }

    @Test(
        "The phone itself finds that the responder's confirm value is for another passkey",
        .shows("SM/CEN/PKE/BI-01-C", "SM/CEN/SCPK/BI-03-C"), arguments: [true, false], [true, false])
    func otherPasskey(isSecure: Bool, isRight: Bool) throws {
        var pair = PairingPair.phone(.initiator, tester: .keyboardOnly, isSecure: isSecure)
        pair.run()
        let shown = try #require(pair.shownPasskey(.initiator))
        // The bit of the sixth round.
        let passkey = isRight ? shown : shown ^ 0x20
        try #require(passkey <= 999_999)

        pair = .phone(.initiator, tester: .keyboardOnly, isSecure: isSecure)
        var tester = Tester(passkey: passkey)
        pair.tamper = { tester.change($0, $1) }
        pair.run()
        #expect(pair.shownPasskey(.initiator) == shown)
        let end = try #require(pair.end(.initiator))
        guard !isRight else {
            // The tester's confirm values are good, but not its key: its random number was another one.
            #expect(end.cause != .refused(.confirmValueFailed) && end.side != .local)
            return
        }
        #expect(end.cause == .refused(.confirmValueFailed) && end.side == .local)
        #expect(pair.sent.last { $0.from == .initiator }?.packet == [0x05, 0x04])
        #expect(end.detail.hasSuffix("in round 6 of 20") == isSecure)
        #expect(pair.result(.initiator) == nil)
    }
}
