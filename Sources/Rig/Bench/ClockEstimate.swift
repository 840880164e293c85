/// The offset of a board's clock. Each exchange gives it with an error of up to half its round trip (RFC 5905, 8).
package struct ClockEstimate: Sendable, Hashable {
    private struct Sample: Hashable {
        var offset: Int64
        var bound: Int64
        var time: UInt64
    }

    /// Older exchanges are useless: quartzes drift by up to 100 ppm, 3 ms in half a minute.
    private static let memory: UInt64 = 30_000_000_000
    private var samples: [Sample] = []

    package init() {}

    /// Adds an exchange: nanoseconds since 1970 by our clock, by the board's, and by ours.
    package mutating func add(sent: UInt64, there: UInt64, received: UInt64) {
        // If our clock was set back in between, the exchange is useless.
        guard received >= sent else { return }
        let half = (received - sent) / 2
        let offset = Int64(bitPattern: there &- (sent + half))
        samples.append(Sample(offset: offset, bound: Int64(half), time: received))
        samples.removeAll { received - min($0.time, received) > ClockEstimate.memory }
    }

    private var best: Sample? { samples.min { $0.bound < $1.bound } }

    /// How far the board's clock is ahead of ours, in nanoseconds; 0 if nothing is known.
    package var offset: Int64 { best?.offset ?? 0 }

    /// The possible error of the offset, in nanoseconds; nil if nothing is known.
    package var bound: Int64? { best?.bound }

    /// A time of the board, converted to our clock.
    package func here(_ there: UInt64) -> UInt64 { there &- UInt64(bitPattern: offset) }

    /// A text for people: `+12.3 ms (± 0.4 ms)`.
    package var text: String {
        guard let bound else { return "unknown" }
        func milliseconds(_ nanoseconds: Int64) -> String {
            let tenths = (abs(nanoseconds) + 50_000) / 100_000
            return "\(tenths / 10).\(tenths % 10) ms"
        }
        return "\(offset < 0 ? "-" : "+")\(milliseconds(offset)) (± \(milliseconds(bound)))"
    }
}
