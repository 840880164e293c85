/// The parameters of an LE link that a peripheral asks its central for (Core Specification 6.0, Vol 3, Part A, 4.20).
public struct ConnectionParameters: Sendable, Hashable, Codable {
    /// The shortest and the longest time between connection events, in units of 1.25 ms: 6 to 3200.
    package var shortestInterval: UInt16
    package var longestInterval: UInt16
    /// How many connection events in a row the peripheral may leave out: 0 to 499.
    public var latency: UInt16
    /// The supervision timeout in units of 10 ms: 10 to 3200.
    public var timeout: UInt16

    /// - Parameters:
    ///   - milliseconds: The shortest and the longest time between connection events, 7.5 to 4000 ms; rounded down to
    ///     units of 1.25 ms.
    ///   - latency: How many connection events in a row the peripheral may leave out, 0 to 499.
    ///   - timeout: The supervision timeout; rounded down to units of 10 ms.
    public init(milliseconds: ClosedRange<Double>, latency: UInt16 = 0, timeout: Duration = .seconds(2)) {
        let (seconds, attoseconds) = timeout.components
        let hundredths = seconds * 100 + attoseconds / 10_000_000_000_000_000
        self.init(
            shortestInterval: Self.units(milliseconds.lowerBound), longestInterval: Self.units(milliseconds.upperBound),
            latency: latency, timeout: UInt16(clamping: hundredths))
    }

    /// - Parameters: In the units of the properties.
    package init(shortestInterval: UInt16, longestInterval: UInt16, latency: UInt16, timeout: UInt16) {
        self.shortestInterval = shortestInterval
        self.longestInterval = longestInterval
        self.latency = latency
        self.timeout = timeout
    }

    private static func units(_ milliseconds: Double) -> UInt16 {
        UInt16(exactly: (min(max(milliseconds, 0), 80_000) / 1.25).rounded(.down)) ?? 0
    }

    /// The default parameters of Linux: 30 to 50 ms, a timeout of 420 ms.
    package static let linux = ConnectionParameters(
        shortestInterval: 0x18, longestInterval: 0x28, latency: 0, timeout: 0x2A)
}

extension ConnectionParameters: CustomStringConvertible {
    public var description: String {
        func milliseconds(_ units: UInt16) -> String {
            let hundredths = Int(units) * 125
            return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(hundredths % 100)"
        }
        return "interval \(milliseconds(shortestInterval)) to \(milliseconds(longestInterval)) ms, latency \(latency), "
            + "supervision timeout \(Int(timeout) * 10) ms"
    }
}
