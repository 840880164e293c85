import FoundationEssentials

/// One block of text that carries bytes in base64 between two lines that name what it is (RFC 7468, section 3, strictly).
enum PEMDocument {
    private static let lineLength = 64

    /// What a text carries, and the name of it: `PUBLIC KEY`, `PRIVATE KEY`, `EC PRIVATE KEY`.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` unless the text is one block whose lines have 64 characters, the
    ///   last one at most so many.
    static func read(_ text: String) throws(CryptoKitASN1Error) -> (label: String, bytes: SecureBytes) {
        var lines = text.split(whereSeparator: \.isNewline)[...]
        guard let first = lines.popFirst(), let last = lines.popLast(), let label = name(first, after: "BEGIN"),
            label == name(last, after: "END"), let shortest = lines.last,
            lines.dropLast().allSatisfy({ $0.utf8.count == lineLength }), shortest.utf8.count <= lineLength
        else { throw .invalidPEMDocument }
        // Not joined as text, which nobody could wipe.
        var encoded = Data(capacity: lines.count * lineLength)
        for line in lines { encoded.append(contentsOf: line.utf8) }
        defer { encoded.resetBytes(in: encoded.startIndex..<encoded.endIndex) }
        guard var decoded = Data(base64Encoded: encoded) else { throw .invalidPEMDocument }
        defer { decoded.resetBytes(in: decoded.startIndex..<decoded.endIndex) }
        return (String(label), SecureBytes(copying: decoded))
    }

    /// The text that carries `bytes`, without an end of line after it.
    static func write(label: String, _ bytes: Data) -> String {
        var lines = ["-----BEGIN \(label)-----"]
        var rest = bytes.base64EncodedString()[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineLength)))
            rest = rest.dropFirst(lineLength)
        }
        return (lines + ["-----END \(label)-----"]).joined(separator: "\n")
    }

    /// `PUBLIC KEY` of `-----BEGIN PUBLIC KEY-----`.
    private static func name(_ line: Substring, after word: String) -> Substring? {
        let (start, end) = ("-----\(word) ", "-----")
        guard line.hasPrefix(start), line.dropFirst(start.count).hasSuffix(end) else { return nil }
        return line.dropFirst(start.count).dropLast(end.count)
    }
}
