import RadioModel

/// The connection parameters that the phone accepts from an accessory.
///
/// The defaults are Apple's: Accessory Design Guidelines for Apple Devices, “Bluetooth Low Energy”, “Connection
/// Parameters”: latency at most 30 events, supervision timeout 2 to 6 s, shortest interval at least 15 ms and a multiple
/// of 15 ms, longest interval at least 15 ms more or both 15 ms, longest interval × (latency + 1) at most 2 s, supervision
/// timeout more than three times that.
public struct ConnectionLimits: Sendable, Hashable {
    /// In units of 1.25 ms: 15 ms.
    package var intervalStep: UInt16 = 12
    package var mostLatency: UInt16 = 30
    /// In units of 10 ms: 2 to 6 s.
    package var timeout: ClosedRange<UInt16> = 200...600
    /// The upper limit of the longest interval × (latency + 1), in milliseconds.
    package var longestSilence: Double = 2000

    package init() {}

    /// Why the phone refuses these parameters; empty if it accepts them.
    package func problems(with wanted: ConnectionParameters) -> [String] {
        func milliseconds(_ units: UInt16) -> Double { Double(units) * 1.25 }
        var problems: [String] = []
        if wanted.shortestInterval < intervalStep || wanted.shortestInterval % intervalStep != 0 {
            problems.append("the shortest interval must be a multiple of \(milliseconds(intervalStep)) ms")
        }
        let isShortest = wanted.shortestInterval == intervalStep && wanted.longestInterval == intervalStep
        if !isShortest, wanted.longestInterval < wanted.shortestInterval + intervalStep {
            problems.append(
                "the longest interval must be at least \(milliseconds(intervalStep)) ms more than the shortest")
        }
        if wanted.latency > mostLatency { problems.append("the latency must be at most \(mostLatency)") }
        if !timeout.contains(wanted.timeout) {
            problems.append(
                "the supervision timeout must be \(Int(timeout.lowerBound) * 10) to \(Int(timeout.upperBound) * 10) ms")
        }
        let silence = milliseconds(wanted.longestInterval) * Double(wanted.latency + 1)
        if silence > longestSilence {
            problems.append("the longest interval × (latency + 1) must be at most \(longestSilence) ms, not \(silence)")
        }
        if silence * 3 >= Double(wanted.timeout) * 10 {
            problems.append(
                "the supervision timeout must be more than three times the longest interval × (latency + 1)")
        }
        return problems
    }
}
