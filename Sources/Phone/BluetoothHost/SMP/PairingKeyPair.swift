import CryptoKit
import RadioModel

/// The public key of one end, as a peer sends it: perhaps not a point of the curve.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 3.5.6.
package struct PairingPublicKey: Sendable, Hashable, CustomStringConvertible {
    /// 32 bytes, most significant first.
    package let x: [UInt8]
    /// 32 bytes, most significant first.
    package let y: [UInt8]

    /// Nil if a coordinate does not have 32 bytes.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == 32, y.count == 32 else { return nil }
        self.x = x
        self.y = y
    }

    /// Whether it is the key of the debug mode, whose private key everybody knows (2.3.5.6.1).
    package var isDebugKey: Bool { x == PairingKeyPair.debug?.publicKey.x }

    package var description: String { "X \(Hex.text(x)), Y \(Hex.text(y))" }
}

/// A key pair on the curve P-256 for one pairing.
///
/// Source: Core Specification 6.0, Vol 2, Part H, 7.6.
package struct PairingKeyPair: Sendable {
    private let privateKey: P256.KeyAgreement.PrivateKey
    package let publicKey: PairingPublicKey

    /// The pair of the debug mode. Source: Core Specification 6.0, Vol 3, Part H, 2.3.5.6.1.
    package static let debug = PairingKeyPair(privateNumber: [
        0x3F, 0x49, 0xF6, 0xD4, 0xA3, 0xC5, 0x5F, 0x38, 0x74, 0xC9, 0xB3, 0xE3, 0xD2, 0x10, 0x3F, 0x50,
        0x4A, 0xFF, 0x60, 0x7B, 0xEB, 0x40, 0xB7, 0x99, 0x58, 0x99, 0xB8, 0xA6, 0xCD, 0x3C, 0x1A, 0xBD,
    ])

    /// From a private number: 32 bytes, most significant first; nil if it is invalid.
    package init?(privateNumber: [UInt8]) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateNumber) else { return nil }
        let point = Array(key.publicKey.rawRepresentation)
        guard let publicKey = PairingPublicKey(x: Array(point.prefix(32)), y: Array(point.dropFirst(32))) else {
            return nil
        }
        privateKey = key
        self.publicKey = publicKey
    }

    /// Makes a random pair.
    package init(random: RandomBytes) {
        // One number in 2³² is invalid.
        for _ in 0..<64 {
            guard let pair = PairingKeyPair(privateNumber: random(32)) else { continue }
            self = pair
            return
        }
        preconditionFailure("The source of random bytes gives no private key for P-256")
    }

    /// The secret that both ends share (DHKey): 32 bytes, most significant first; nil if the peer's key is not a point
    /// of the curve.
    package func sharedSecret(with peer: PairingPublicKey) -> [UInt8]? {
        guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: peer.x + peer.y) else { return nil }
        return try? privateKey.sharedSecretFromKeyAgreement(with: key).withUnsafeBytes { Array($0) }
    }
}
