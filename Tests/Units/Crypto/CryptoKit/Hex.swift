import FoundationEssentials

/// Reads bytes in hexadecimal; spaces and newlines are ignored.
func hex(_ text: String) -> Data {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    precondition(digits.count.isMultiple(of: 2), "half a byte in \(text)")
    return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
}

extension ContiguousBytes {
    /// A copy of the bytes, for comparison.
    var data: Data { withUnsafeBytes { Data($0) } }
}
