import Foundation

/// Detects a damaged line of a record by its numbers, before they become values that break calculations.
///
/// A record holds times in nanoseconds, a seed, and durations as pairs of which the second may be any number of 64 bits
/// (`Duration` in JSON). No other number reaches 2^53, and none with a fraction 10^12, which is 30,000 years in seconds.
package enum PlausibleNumbers {
    private static let largest: Double = 9_007_199_254_740_992
    private static let largestFraction = 1e12
    /// The keys whose values may have 64 bits.
    private static let long: Set<String> = ["time", "seed"]

    /// Whether hil could have written all numbers of a line of JSON. It does not check that the line is JSON.
    package static func are(in line: Data) -> Bool {
        line.withUnsafeBytes { bytes in
            var place = 0
            var key: Range<Int>?
            var before = UInt8(ascii: "[")
            while place < bytes.count {
                let byte = bytes[place]
                switch byte {
                case UInt8(ascii: "\""):
                    let end = endOfString(bytes, from: place + 1)
                    key = place + 1..<max(place + 1, min(end, bytes.count))
                    place = end
                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    let start = place
                    while place < bytes.count, isPartOfNumber(bytes[place]) { place += 1 }
                    let text = String(decoding: bytes[start..<place], as: UTF8.self)
                    let name =
                        before == UInt8(ascii: ":") ? key.map { String(decoding: bytes[$0], as: UTF8.self) } : nil
                    if !isPlausible(text, of: name, isFurther: before == UInt8(ascii: ",")) { return false }
                    continue
                case UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): before = byte
                default: break
                }
                place += 1
            }
            return true
        }
    }

    /// - Parameters:
    ///   - name: Its key; nil in an array.
    ///   - isFurther: Whether it is in an array, after the first element.
    private static func isPlausible(_ text: String, of name: String?, isFurther: Bool) -> Bool {
        guard let number = Double(text) else { return true }
        if text.contains(where: { ".eE".contains($0) }) { return abs(number) <= largestFraction }
        if abs(number) <= largest { return true }
        let mayBeLong = name.map { long.contains($0) } ?? isFurther
        return mayBeLong && UInt64(text) != nil
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// The place of the quotation mark that ends a string, or the end of the line.
    private static func endOfString(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while let base = bytes.baseAddress, place < bytes.count,
            let mark = memchr(base + place, Int32(UInt8(ascii: "\"")), bytes.count - place)
        {
            let end = base.distance(to: UnsafeRawPointer(mark))
            var backslashes = 0
            while end - backslashes > start, bytes[end - backslashes - 1] == UInt8(ascii: "\\") { backslashes += 1 }
            if backslashes % 2 == 0 { return end }
            place = end + 1
        }
        return bytes.count
    }
}
