import Foundation

// Source: Security, SecRandom.h.

/// A source of random bytes. There is only the system's.
public final class SecRandom: Sendable {
    init() {}
}

public typealias SecRandomRef = SecRandom
/// The system's source.
public let kSecRandomDefault: SecRandomRef? = nil

/// Fills memory with random bytes of the system's generator.
///
/// - Returns: ``errSecSuccess``; ``errSecParam`` for a negative count.
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    var generator = SystemRandomNumberGenerator()
    for index in 0..<count { bytes.storeBytes(of: generator.next(), toByteOffset: index, as: UInt8.self) }
    return errSecSuccess
}
