import Foundation
import RadioModel
import Synchronization
import TestSupport

@testable import HILBluetoothHost

/// Values for tests of the security manager.
enum SMPTest {
    /// How many random packets a fuzz test sends: `HIL_FUZZ_PDUS`, or 20,000.
    static let fuzzCount = ProcessInfo.processInfo.environment["HIL_FUZZ_PDUS"].flatMap { Int($0) } ?? 20_000

    static let initiator = address("5A:12:34:56:78:9A", isRandom: true)
    static let responder = address("9C:5A:81:00:00:01", isRandom: false)

    static func address(_ text: String, isRandom: Bool) -> PeerAddress {
        guard let address = DeviceAddress(text) else { preconditionFailure("\(text) is not an address") }
        return PeerAddress(address, isRandom: isRandom)
    }

    /// Bytes in hexadecimal; spaces are ignored.
    static func bytes(_ text: String) -> [UInt8] {
        guard let bytes = Hex.bytes(text.utf8.filter { $0 != UInt8(ascii: " ") }) else {
            preconditionFailure("\(text) is not hexadecimal")
        }
        return bytes
    }

    static func value(_ text: String) -> Value128 {
        guard let value = Value128(bytes(text)) else { preconditionFailure("\(text) does not have 16 bytes") }
        return value
    }

    /// Random bytes that are the same for the same seed.
    static func random(seed: UInt64) -> RandomBytes {
        let source = Source(seed: seed)
        return { source.bytes($0) }
    }

    private final class Source: Sendable {
        private let numbers: Mutex<SeededNumbers>

        init(seed: UInt64) { numbers = Mutex(SeededNumbers(seed: seed)) }

        func bytes(_ count: Int) -> [UInt8] {
            numbers.withLock { numbers in (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) } }
        }
    }
}
