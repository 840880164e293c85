import Glibc

/// The UUIDs that a Swift source gives a name: `static let colour = CBUUID(string: "4C410002-…")`.
package enum UUIDConstants {
    /// Names without meaning, which the type's name replaces.
    private static let empty: Set<String> = ["uuid", "id", "identifier", "uuidString", "string", "value", "rawValue"]
    /// Names that mean little without that of the type.
    private static let general: Set<String> = ["service", "serviceUUID", "characteristic", "characteristicUUID"]
    /// The types that take four or eight digits for a UUID. Elsewhere such a text may be anything.
    private static let types: Set<String> = ["CBUUID", "BluetoothUUID"]

    /// UUIDs as they are written, in upper case, with their names; the first of each.
    package static func names(in source: [UInt8]) -> [String: String] {
        // Most sources have none, and reading one into tokens takes its time.
        guard mayHaveUUIDs(source) else { return [:] }
        let tokens = SwiftLexer.read(source)
        var names: [String: String] = [:]
        for (place, token) in tokens.enumerated() where token.kind == .literal {
            guard let uuid = uuid(token.text, at: place, in: tokens), names[uuid] == nil,
                let name = name(at: place, in: tokens)
            else { continue }
            names[uuid] = name
        }
        return names
    }

    /// Looks with the C library, because a whole checkout is searched before each run.
    private static func mayHaveUUIDs(_ source: [UInt8]) -> Bool {
        source.withUnsafeBytes { bytes in
            bytes.haveLongUUID || bytes.haveShortUUID && types.contains { bytes.contains($0) }
        }
    }

    /// The UUID in a literal; nil if it is none.
    private static func uuid(_ literal: String, at place: Int, in tokens: [SwiftToken]) -> String? {
        guard literal.hasPrefix("\""), literal.hasSuffix("\""), literal.count > 5 else { return nil }
        let text = literal.dropFirst().dropLast().uppercased()
        let digits = text.split(separator: "-", omittingEmptySubsequences: false)
        guard digits.allSatisfy({ $0.allSatisfy(\.isHexDigit) }) else { return nil }
        if digits.map(\.count) == [8, 4, 4, 4, 12] { return text }
        guard digits.map(\.count) == [4] || digits.map(\.count) == [8] else { return nil }
        // CBUUID(string: "FF01")
        // Below FC00 are the numbers of the Bluetooth SIG's own services, which everybody calls by their names.
        guard digits.map(\.count) == [8] || text >= "FC00" else { return nil }
        let isArgument = (1...4).contains { place >= $0 && types.contains(tokens[place - $0].text) }
        return isArgument ? text : nil
    }

    /// The constant, variable or case whose value the literal is a part of; nil if it has none. An element of a list has none:
    /// the name is that of the list.
    private static func name(at place: Int, in tokens: [SwiftToken]) -> String? {
        var at = place - 1
        while at >= 0, tokens[at].kind != .literal, !tokens[at].isSign("}"), !tokens[at].isSign(";"),
            !tokens[at].isSign(","), !tokens[at].isSign("[")
        {
            if ["let", "var", "case"].contains(tokens[at].text), tokens[at].kind == .word {
                let name = tokens[at + 1].text.filter { $0 != "`" }
                guard tokens[at + 1].kind == .word else { return nil }
                guard empty.contains(name) || general.contains(name) else { return name }
                let type = typeAround(at, in: tokens)
                return general.contains(name) ? type.map { "\($0).\(name)" } ?? name : type
            }
            at -= 1
        }
        return nil
    }

    /// The type that contains a token.
    private static func typeAround(_ place: Int, in tokens: [SwiftToken]) -> String? {
        var depth = 0
        for at in stride(from: place - 1, through: 0, by: -1) {
            if tokens[at].isSign("}") { depth += 1 }
            if tokens[at].isSign("{") { depth -= 1 }
            if depth < 0, ["struct", "enum", "class", "actor", "extension"].contains(tokens[at].text) {
                return tokens[at + 1].kind == .word ? tokens[at + 1].text : nil
            }
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return hasByte(wanted[0]) { at in
            at + wanted.count <= count && memcmp(baseAddress! + at, wanted, wanted.count) == 0
        }
    }

    /// Whether it has hyphens at the places of a UUID of 36 characters.
    fileprivate var haveLongUUID: Bool {
        let hyphen = UInt8(ascii: "-")
        return hasByte(hyphen) { at in
            at + 15 < count && [5, 10, 15].allSatisfy { self[at + $0] == hyphen }
        }
    }

    /// Whether it has four or eight hexadecimal digits between quotation marks.
    fileprivate var haveShortUUID: Bool {
        let quote = UInt8(ascii: "\"")
        return hasByte(quote) { at in
            let text = self[(at + 1)..<Swift.min(at + 10, count)]
            let digits = text.prefix { isxdigit(Int32($0)) != 0 }
            return (digits.count == 4 || digits.count == 8) && text.dropFirst(digits.count).first == quote
        }
    }

    /// Whether it has this byte at a place that fits.
    private func hasByte(_ byte: UInt8, where fits: (Int) -> Bool) -> Bool {
        guard let start = baseAddress else { return false }
        var at = 0
        while let found = memchr(start + at, Int32(byte), count - at) {
            at = start.distance(to: UnsafeRawPointer(found))
            if fits(at) { return true }
            at += 1
        }
        return false
    }
}
