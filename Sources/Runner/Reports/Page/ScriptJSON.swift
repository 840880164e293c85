import Foundation

/// Values as JSON that is safe in a script element, and scripts that hand data to the page.
enum ScriptJSON {
    /// The value as JSON in which `<`, `>` and `&` are escapes, so that it cannot end a script element or begin a
    /// comment (HTML Standard, 4.12.1.3).
    static func bytes(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // No value of the page can fail to encode, except a number that is not finite.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "∞", negativeInfinity: "-∞", nan: "unknown")
        guard let json = try? encoder.encode(value) else { return Array("null".utf8) }
        return escaped(json)
    }

    /// A script that hands a value to a function of the page.
    static func call(_ function: String, _ value: some Encodable) -> [UInt8] {
        Array("hil.\(function)(".utf8) + bytes(value) + Array(");\n".utf8)
    }

    /// A script that hands the content of a file to a function of the page, in base 64.
    static func call(_ function: String, file: Data) -> [UInt8] {
        Array("hil.\(function)(\"".utf8) + [UInt8](file.base64EncodedData()) + Array("\");\n".utf8)
    }

    private static func escaped(_ json: Data) -> [UInt8] {
        var pieces: [UInt8] = []
        pieces.reserveCapacity(json.count + json.count / 64)
        for byte in json {
            switch byte {
            case UInt8(ascii: "<"): pieces += #"\u003c"#.utf8
            case UInt8(ascii: ">"): pieces += #"\u003e"#.utf8
            case UInt8(ascii: "&"): pieces += #"\u0026"#.utf8
            default: pieces.append(byte)
            }
        }
        return pieces
    }
}
