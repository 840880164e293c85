import RadioModel
import Testing

@testable import HILBluetoothHost

/// The sample data of the Core Specification 6.0, Vol 2, Part G, 7.1.2.
@Suite("Key pairs on P-256")
struct PairingKeyPairTests {
    private struct Sample {
        var numbers: (String, String)
        var points: ((x: String, y: String), (x: String, y: String))
        var secret: String
    }

    private static let samples = [
        Sample(
            numbers: (
                "3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd",
                "55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd"
            ),
            points: (
                (
                    "20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6",
                    "dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"
                ),
                (
                    "1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190",
                    "4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a"
                )
            ), secret: "ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698"),
        Sample(
            numbers: (
                "06a516693c9aa31a6084545d0c5db641b48572b97203ddffb7ac73f7d0457663",
                "529aa0670d72cd6497502ed473502b037e8803b5c60829a5a3caa219505530ba"
            ),
            points: (
                (
                    "2c31a47b5779809ef44cb5eaaf5c3e43d5f8faad4a8794cb987e9b03745c78dd",
                    "919512183898dfbecd52e2408e43871fd021109117bd3ed4eaf8437743715d4f"
                ),
                (
                    "f465e43ff23d3f1b9dc7dfc04da8758184dbc966204796eccf0d6cf5e16500cc",
                    "0201d048bcbbd899eeefc424164e33c201c2b010ca6b4d43a8a155cad8ecb279"
                )
            ), secret: "ab85843a2f6d883f62e5684b38e307335fe6e1945ecd19604105c6f23221eb69"),
    ]

    @Test("Public keys and shared secrets are those of the specification", arguments: 0..<2)
    func samples(index: Int) throws {
        let sample = Self.samples[index]
        let first = try #require(PairingKeyPair(privateNumber: SMPTest.bytes(sample.numbers.0)))
        let second = try #require(PairingKeyPair(privateNumber: SMPTest.bytes(sample.numbers.1)))
        #expect(first.publicKey.x == SMPTest.bytes(sample.points.0.x))
        #expect(first.publicKey.y == SMPTest.bytes(sample.points.0.y))
        #expect(second.publicKey.x == SMPTest.bytes(sample.points.1.x))
        #expect(second.publicKey.y == SMPTest.bytes(sample.points.1.y))
        #expect(first.sharedSecret(with: second.publicKey) == SMPTest.bytes(sample.secret))
        #expect(second.sharedSecret(with: first.publicKey) == SMPTest.bytes(sample.secret))
    }

    @Test("The key of the debug mode is recognised, and no other one")
    func debugKey() throws {
        let debug = try #require(PairingKeyPair.debug)
        #expect(debug.publicKey.isDebugKey)
        #expect(debug.publicKey.x == SMPTest.bytes(Self.samples[0].points.0.x))
        #expect(!PairingKeyPair(random: SMPTest.random(seed: 1)).publicKey.isDebugKey)
    }

    @Test("A point beside the curve gives no secret")
    func invalidPoints() throws {
        let pair = PairingKeyPair(random: SMPTest.random(seed: 1))
        let good = PairingKeyPair(random: SMPTest.random(seed: 2)).publicKey
        #expect(pair.sharedSecret(with: good) != nil)
        for bit in 0..<256 {
            var y = good.y
            y[bit / 8] ^= 1 << UInt8(bit % 8)
            let bad = try #require(PairingPublicKey(x: good.x, y: y))
            #expect(pair.sharedSecret(with: bad) == nil)
        }
        let zeros = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        for (x, y) in [(zeros, zeros), (ones, ones), (good.x, zeros), (zeros, good.y)] {
            let bad = try #require(PairingPublicKey(x: x, y: y))
            #expect(pair.sharedSecret(with: bad) == nil)
        }
    }

    @Test("An invalid private number makes no pair, and random bytes are tried again")
    func privateNumbers() {
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(PairingKeyPair(privateNumber: zeros) == nil)
        #expect(PairingKeyPair(privateNumber: [UInt8](repeating: 0xFF, count: 32)) == nil)
        #expect(PairingKeyPair(privateNumber: [1, 2, 3]) == nil)
        #expect(PairingPublicKey(x: [1], y: zeros) == nil)
    }
}
