import RadioModel
import Testing

@testable import HILBluetoothHost

/// The sample data of the Core Specification 6.0, Vol 3, Part H, 2.2 and appendix D.
@Suite("Functions of the security manager")
struct SecurityToolboxTests {
    private let u = SMPTest.bytes("20b003d2f297be2c5e2c83a7e9f9a5b9 eff49111acf4fddbcc0301480e359de6")
    private let v = SMPTest.bytes("55188b3d32f6bb9a900afcfbeed4e72a 59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    private let x = SMPTest.value("d5cb8454d177733effffb2ec712baeab")
    private let y = SMPTest.value("a6e8e7cc25a75f6e216583f7ff3dc4cf")
    private let a1 = SMPTest.address("56:12:37:37:BF:CE", isRandom: false)
    private let a2 = SMPTest.address("A7:13:70:2D:CF:C1", isRandom: false)
    private let key = SMPTest.value("ec0234a357c8ad05341010a60a397d9b")

    @Test("c1 gives the value of 2.2.3")
    func c1() {
        let features = PairingFeatureExchange(
            request: PairingParameters(
                capability: .displayYesNo, authentication: [], initiatorKeys: [.encryption, .identity, .signing],
                responderKeys: [.encryption, .identity, .signing]),
            response: PairingParameters(
                capability: .noInputNoOutput, authentication: [], maximumKeySize: 8, initiatorKeys: [],
                responderKeys: [.encryption, .signing]))
        #expect(SMPCommand.pairingRequest(features.request).bytes == SMPTest.bytes("01 01 00 00 10 07 07"))
        #expect(SMPCommand.pairingResponse(features.response).bytes == SMPTest.bytes("02 03 00 00 08 00 05"))
        let addresses = PairingAddresses(
            initiator: SMPTest.address("A1:A2:A3:A4:A5:A6", isRandom: true),
            responder: SMPTest.address("B1:B2:B3:B4:B5:B6", isRandom: false))
        let random = SMPTest.value("5783D52156AD6F0E6388274EC6702EE0")
        #expect(
            SecurityToolbox.c1(key: .zero, random: random, features: features, addresses: addresses)
                == SMPTest.value("1e1e3fef878988ead2a74dc5bef13b86"))
    }

    @Test("s1 gives the value of 2.2.4")
    func s1() {
        let first = SMPTest.value("000F0E0D0C0B0A091122334455667788")
        let second = SMPTest.value("010203040506070899AABBCCDDEEFF00")
        #expect(
            SecurityToolbox.s1(key: .zero, responder: first, initiator: second)
                == SMPTest.value("9a1fe1f0e8b0f49b5b4216ae796da062"))
    }

    @Test("f4 gives the value of D.2")
    func f4() {
        #expect(SecurityToolbox.f4(u: u, v: v, x: x, z: 0) == SMPTest.value("f2c916f107a9bd1cf1eda1bea974872d"))
    }

    @Test("f5 gives the two keys of D.3")
    func f5() {
        let secret = SMPTest.bytes("ec0234a357c8ad05341010a60a397d9b 99796b13b4f866f1868d34f373bfa698")
        let keys = SecurityToolbox.f5(
            secret: secret, nonces: (x, y), addresses: PairingAddresses(initiator: a1, responder: a2))
        #expect(keys.checkKey == SMPTest.value("2965f176a1084a02fd3f6a20ce636e20"))
        #expect(keys.longTermKey == SMPTest.value("6986791169d7cd23980522b594750a38"))
    }

    @Test("f6 gives the value of D.4")
    func f6() {
        let sender = PairingParameters(
            capability: .keyboardOnly, hasOutOfBandData: true, authentication: .bonding, initiatorKeys: [],
            responderKeys: [])
        let check = SecurityToolbox.f6(
            key: SMPTest.value("2965f176a1084a02fd3f6a20ce636e20"), nonces: (x, y),
            r: SMPTest.value("12a3343bb453bb5408da42d20c2d0fc8"), sender: sender, addresses: (a1, a2))
        #expect(check == SMPTest.value("e3c473989cd0e8c5d26c0b09da958f61"))
    }

    @Test("g2 gives the value of D.5, of which people see six digits")
    func g2() {
        #expect(SecurityToolbox.g2(u: u, v: v, x: x, y: y) == 0x2F9E_D5BA)
        #expect(SecurityToolbox.g2(u: u, v: v, x: x, y: y) % 1_000_000 == 938_554)
    }

    @Test("h6, ah and h7 give the values of D.6 to D.8")
    func conversions() {
        #expect(SecurityToolbox.h6(key: key, name: "lebr") == SMPTest.value("2d9ae102e76dc91ce8d3a9e280b16399"))
        #expect(SecurityToolbox.ah(key: key, prand: 0x70_8194) == 0x0D_FBAA)
        #expect(SecurityToolbox.h7(name: "tmp1", key: key) == SMPTest.value("fb173597c6a3c0ecd2998c2a75a57011"))
    }

    @Test("A link key follows from a long-term key as in D.9 and D.10")
    func linkKey() {
        let longTermKey = SMPTest.value("368df9bce3264b58bd066c33334fbf64")
        #expect(
            SecurityToolbox.linkKey(longTermKey: longTermKey, usesCT2: true)
                == SMPTest.value("287ad379dca402530a39f1f43047b835"))
        #expect(
            SecurityToolbox.linkKey(longTermKey: longTermKey, usesCT2: false)
                == SMPTest.value("bc1ca4ef633fc1bd0d8230afee388fb0"))
    }

    @Test("A long-term key follows from a link key as in D.11 and D.12")
    func longTermKey() {
        let linkKey = SMPTest.value("05040302010009080706050403020100")
        #expect(
            SecurityToolbox.longTermKey(linkKey: linkKey, usesCT2: true)
                == SMPTest.value("e85e09eb5eccb3e269418a133211bc79"))
        #expect(
            SecurityToolbox.longTermKey(linkKey: linkKey, usesCT2: false)
                == SMPTest.value("a813fb72f1a3dfa18a2c9a43f10d0a30"))
    }
}
