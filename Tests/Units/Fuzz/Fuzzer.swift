import Foundation
import StubRig
import TestSupport
import Testing

/// Gives a reader broken bytes for some time: whole messages with damage that a seed determines.
///
/// `HIL_FUZZ_SECONDS` is how long each target runs, `HIL_FUZZ_SEED` the seed of an earlier run. A reader that traps takes
/// the tests down; the seed is on standard error before that.
struct Fuzzer {
    private static let environment = ProcessInfo.processInfo.environment
    private static let duration = Duration.seconds(environment["HIL_FUZZ_SECONDS"].flatMap(Double.init) ?? 0.3)

    /// An error of a reader, with the bytes.
    struct Finding: Error {
        let what: String

        init(_ what: String) { self.what = what }
    }

    /// The whole messages from which broken ones are made.
    let corpus: [[UInt8]]

    /// Calls `check` with broken bytes until the time is over, or it throws a ``Finding``.
    func run(_ target: String, _ check: ([UInt8], inout SeededNumbers) async throws -> Void) async {
        let seed = Fuzzer.environment["HIL_FUZZ_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        FileHandle.standardError.write(Data("fuzzing \(target) with HIL_FUZZ_SEED=\(seed)\n".utf8))
        var numbers = SeededNumbers(seed: seed)
        let end = ContinuousClock.now + Fuzzer.duration
        var count = 0
        // At least once, because the time may be over at once on a busy machine.
        while count < 50 || ContinuousClock.now < end {
            // A reader that never waits would block a thread that other targets need.
            if count.isMultiple(of: 64) { await Task.yield() }
            let bytes = broken(&numbers)
            do { try await check(bytes, &numbers) } catch {
                let hex = bytes.prefix(400).map { String($0, radix: 16) }.joined(separator: " ")
                let what = (error as? Finding)?.what ?? "\(error)"
                Issue.record("\(target): \(what), number \(count) of HIL_FUZZ_SEED=\(seed); bytes: \(hex)")
                return
            }
            count += 1
        }
        FileHandle.standardError.write(Data("fuzzed \(target) with \(count) inputs\n".utf8))
    }

    /// One to four messages in a row, with up to eight damages.
    private func broken(_ numbers: inout SeededNumbers) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &numbers) { bytes += corpus.randomElement(using: &numbers) ?? [] }
        for _ in 0..<Int.random(in: 0...8, using: &numbers) { damage(&bytes, &numbers) }
        return bytes
    }

    private func damage(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
        guard !bytes.isEmpty else { return bytes.append(UInt8.random(in: 0...255, using: &numbers)) }
        let place = Int.random(in: bytes.indices, using: &numbers)
        let length = Int.random(in: 1...max(1, min(64, bytes.count - place)), using: &numbers)
        let part = bytes[place..<(place + length)]
        switch Int.random(in: 0..<7, using: &numbers) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
        case 2: bytes.removeSubrange(part.indices)
        case 3: bytes.insert(contentsOf: Array(part), at: place)
        case 4: bytes.removeLast(bytes.count - place)
        case 5:
            bytes.insert(contentsOf: (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }, at: place)
        default:
            let other = corpus.randomElement(using: &numbers) ?? []
            bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &numbers)), at: place)
        }
    }
}

/// Splits bytes into pieces of random sizes.
func inPieces(_ bytes: [UInt8], _ numbers: inout SeededNumbers, _ take: (ArraySlice<UInt8>) -> Void) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...rest.count, using: &numbers))
        take(piece)
        rest = rest.dropFirst(piece.count)
    }
}
