import CryptoKit
import Foundation
import Glibc
import MessageSealing

/// The processor time of `work` in seconds, which `openssl speed` measures as well.
private func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let began = now()
    try work()
    return now() - began
}

/// Sealing a notification and opening it again, under one key, as phone and accessory do after their exchange.
enum SealingCase {
    private static let length = 256

    /// `count` samples of the speed in megabytes per second of processor time, each the mean of many rounds. The text
    /// passes the cipher twice.
    static func samples(count: Int) throws -> [Double] {
        let key = SymmetricKey(size: .bits256)
        let text = Data(repeating: 0x61, count: length)
        let rounds = 10_000
        return try (0..<count).map { _ in
            var (sealer, opener) = (MessageSealer(key: key), MessageOpener(key: key))
            let seconds = try processorSeconds {
                for _ in 0..<rounds {
                    guard case .plaintext(let opened) = opener.open(try sealer.seal(text)), opened.count == length
                    else { throw CryptoKitError.authenticationFailure }
                }
            }
            return Double(2 * length * rounds) / 1e6 / seconds
        }
    }
}

/// X-Wing's encapsulation and decapsulation, with each implementation of ML-KEM-768 that is available.
enum XWingCase {
    static var implementations: [MLKEMImplementation] { MLKEMImplementation.allCases.filter(\.isAvailable) }

    /// `count` samples of the processor time in milliseconds for one of both, each the mean of many rounds.
    static func samples(of implementation: MLKEMImplementation, count: Int) throws -> [Double] {
        let key = try XWingMLKEM768X25519.PrivateKey(by: implementation)
        let publicKey = try XWingMLKEM768X25519.PublicKey(
            rawRepresentation: key.publicKey.rawRepresentation, by: implementation)
        let rounds = 20
        return try (0..<count).map { _ in
            let seconds = try processorSeconds {
                for _ in 0..<rounds {
                    let result = try publicKey.encapsulate()
                    guard try key.decapsulate(result.encapsulated) == result.sharedSecret else {
                        throw CryptoKitError.authenticationFailure
                    }
                }
            }
            return 1000 * seconds / Double(rounds)
        }
    }
}
