import CryptoKit
import Foundation

/// Sealing a notification and opening it again, under one key, as phone and accessory do after their exchange.
enum SealingCase {
    private static let length = 256

    /// Megabytes a second of the text, which goes through the cipher twice; the mean of many, so often.
    static func samples(count: Int) throws -> [Double] {
        let key = SymmetricKey(size: .bits256)
        let text = Data(repeating: 0x61, count: length)
        let rounds = 10_000
        var counter: UInt64 = 0
        return try (0..<count).map { _ in
            let began = ContinuousClock.now
            for _ in 0..<rounds {
                counter += 1
                let nonce = Data(count: 4) + withUnsafeBytes(of: counter.bigEndian) { Data($0) }
                let sealed = try AES.GCM.seal(text, using: key, nonce: AES.GCM.Nonce(data: nonce))
                guard let wire = sealed.combined, try AES.GCM.open(.init(combined: wire), using: key).count == length
                else { throw CryptoKitError.authenticationFailure }
            }
            return Double(2 * length * rounds) / 1e6 / ((ContinuousClock.now - began) / .seconds(1))
        }
    }
}

/// X-Wing's encapsulation and decapsulation, by each implementation of ML-KEM-768 that is there.
enum XWingCase {
    static var implementations: [MLKEMImplementation] { MLKEMImplementation.allCases.filter(\.isThere) }

    /// Milliseconds for one of both; the mean of many, so often.
    static func samples(of implementation: MLKEMImplementation, count: Int) throws -> [Double] {
        let key = try XWingMLKEM768X25519.PrivateKey(by: implementation)
        let publicKey = try XWingMLKEM768X25519.PublicKey(
            rawRepresentation: key.publicKey.rawRepresentation, by: implementation)
        let rounds = 20
        return try (0..<count).map { _ in
            let began = ContinuousClock.now
            for _ in 0..<rounds {
                let result = try publicKey.encapsulate()
                guard try key.decapsulate(result.encapsulated) == result.sharedSecret else {
                    throw CryptoKitError.authenticationFailure
                }
            }
            return (ContinuousClock.now - began) / .milliseconds(1) / Double(rounds)
        }
    }
}
