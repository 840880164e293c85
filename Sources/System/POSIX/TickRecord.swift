/// When a ticker woke last, and how long it could not wake before.
///
/// All times are in nanoseconds of `CLOCK_BOOTTIME`, which all processes of a machine share and which counts while the
/// machine is suspended.
package struct TickRecord: Sendable, Equatable {
    /// The time between two ticks.
    package static let period: UInt64 = 20_000_000
    /// The shortest delay of a tick that counts. Shorter delays are normal on a busy machine.
    package static let leastStandstill: UInt64 = 100_000_000
    /// The length of ``bytes``.
    package static let size = 4 * 8
    private static let mark: UInt64 = 0x4849_4C54_4943_4B31

    /// When the ticker woke last.
    package private(set) var last: UInt64
    /// The total time of all standstills.
    package private(set) var stood: UInt64 = 0

    /// - Parameter start: The time now.
    package init(start: UInt64) { last = start }

    /// The ticker has woken.
    package mutating func tick(at now: UInt64) {
        stood = self.stood(at: now)
        last = max(last, now)
    }

    /// How long the ticker could not wake until now, including a current standstill.
    package func stood(at now: UInt64) -> UInt64 {
        let due = last + TickRecord.period
        guard now >= due + TickRecord.leastStandstill else { return stood }
        return stood + (now - due)
    }

    /// The record for a file. The time of the last tick stands at both ends: if a reader finds two times, it came in
    /// the middle of a write.
    package var bytes: [UInt8] {
        [TickRecord.mark ^ last, last, stood, last].flatMap { value in
            (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
    }

    /// Nil for bytes that are not a whole record.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == TickRecord.size else { return nil }
        let words = (0..<4).map { word in
            bytes[word * 8..<word * 8 + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        // Half of the range is three hundred years: sums of two such times do not overflow.
        guard words[0] ^ words[1] == TickRecord.mark, words[1] == words[3], words[1] < .max / 4, words[2] < .max / 4
        else { return nil }
        (last, stood) = (words[1], words[2])
    }
}
