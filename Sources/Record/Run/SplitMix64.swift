/// A random generator that gives the same numbers for a seed on every machine and with every version of Swift: Steele,
/// Lea and Flood, “Fast splittable pseudorandom number generators”, 2014.
package struct SplitMix64: Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Shuffles the elements by the next numbers (Fisher and Yates).
    package mutating func shuffle<Element>(_ elements: [Element]) -> [Element] {
        var elements = elements
        for last in elements.indices.dropFirst().reversed() {
            elements.swapAt(last, Int(next() % UInt64(last + 1)))
        }
        return elements
    }
}
