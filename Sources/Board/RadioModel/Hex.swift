/// Converts between bytes and hexadecimal digits.
package enum Hex {
    /// Two upper-case digits for each byte.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Bytes in readable form: `01 00`; of many bytes, the first ones and their number.
    package static func spaced(_ bytes: some Collection<UInt8>, most: Int = 20) -> String {
        let shown = bytes.prefix(most).map { text([$0]) }.joined(separator: " ")
        if bytes.count > most { return "\(shown) … (\(bytes.count) bytes)" }
        return bytes.isEmpty ? "no bytes" : shown
    }

    /// Bytes in readable form, and as text if they can be nothing else: `6E 6F 20 4A 53 4F 4E (“no JSON”)`.
    package static func withText(_ bytes: some Collection<UInt8>, most: Int = 20) -> String {
        let shown = spaced(bytes, most: most)
        guard bytes.count > 1, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return shown }
        let text = String(decoding: bytes.prefix(most), as: UTF8.self)
        return "\(shown) (“\(text)\(bytes.count > most ? "…" : "")”)"
    }

    /// The bytes of ASCII digits in upper or lower case; nil for an odd number of digits or any other character.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard values.count == digits.count, values.count % 2 == 0 else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
