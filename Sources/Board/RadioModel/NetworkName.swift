/// Compares network names byte by byte, as access points and supplicants do (IEEE 802.11-2020, 9.4.2.2).
///
/// Swift's own comparison treats different encodings of one text as equal: `é` as one scalar or as two. Two networks
/// whose names differ only in their ``NameEncoding`` are equal here, as for an app.
package enum NetworkName {
    package static func areEqual(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return a.utf8.elementsEqual(b.utf8)
    }

    package static func name(_ name: String, hasPrefix prefix: String) -> Bool { name.utf8.starts(with: prefix.utf8) }

    /// A network name as text, and how it was read; empty for a hidden network, or if all its bytes are zeros.
    ///
    /// An empty name never equals the name of a network that an app asks for.
    package static func text(_ bytes: [UInt8]) -> (text: String, encoding: NameEncoding) {
        if bytes.allSatisfy({ $0 == 0 }) { return ("", .utf8) }
        if let text = String(validating: bytes, as: UTF8.self) { return (text, .utf8) }
        return (NameEncoding.windowsLatin1Text(bytes), .windowsLatin1)
    }
}

/// How the bytes of a network's name are read as text. The encoding is not sent on the air.
public enum NameEncoding: String, Sendable, Hashable, Codable, CaseIterable {
    /// UTF-8, as today's routers send it.
    case utf8
    /// Windows-1252, one byte per character: for names that are not UTF-8.
    case windowsLatin1

    /// The characters of 0x80 to 0x9F. Five bytes have no character, and stand for the control character with their
    /// number.
    private static let upper: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}",
        "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}",
        "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]

    static func windowsLatin1Text(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: bytes.map { (0x80...0x9F).contains($0) ? upper[Int($0) - 0x80] : Unicode.Scalar($0) })
        return String(text)
    }

    /// The bytes of a name; nil if the encoding lacks one of its characters.
    package func bytes(of name: String) -> [UInt8]? {
        guard self == .windowsLatin1 else { return Array(name.utf8) }
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            if let place = Self.upper.firstIndex(of: scalar) {
                bytes.append(UInt8(0x80 + place))
            } else if let byte = UInt8(exactly: scalar.value), !(0x80...0x9F).contains(byte) {
                bytes.append(byte)
            } else {
                return nil
            }
        }
        return bytes
    }
}
