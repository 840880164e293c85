import FoundationEssentials

/// A PEM document: bytes in base64 between two lines with a label. Source: RFC 7468, section 3, in its strict form.
enum PEMDocument {
    private static let lineLength = 64

    /// Reads the label, such as `PUBLIC KEY`, and the bytes of a document.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` unless the text is one block whose lines have 64 characters.
    ///   The last line may be shorter.
    static func read(_ text: String) throws(CryptoKitASN1Error) -> (label: String, bytes: SecureBytes) {
        var lines = text.split(whereSeparator: \.isNewline)[...]
        guard let first = lines.popFirst(), let last = lines.popLast(), let label = name(first, after: "BEGIN"),
            label == name(last, after: "END"), let shortest = lines.last,
            lines.dropLast().allSatisfy({ $0.utf8.count == lineLength }), shortest.utf8.count <= lineLength
        else { throw .invalidPEMDocument }
        // The lines are not joined as text, because a string cannot be wiped.
        var encoded = Data(capacity: lines.count * lineLength)
        for line in lines { encoded.append(contentsOf: line.utf8) }
        defer { encoded.resetBytes(in: encoded.startIndex..<encoded.endIndex) }
        guard var decoded = Data(base64Encoded: encoded) else { throw .invalidPEMDocument }
        defer { decoded.resetBytes(in: decoded.startIndex..<decoded.endIndex) }
        return (String(label), SecureBytes(copying: decoded))
    }

    /// A document with `bytes`, without a line break at the end.
    static func write(label: String, _ bytes: Data) -> String {
        var lines = ["-----BEGIN \(label)-----"]
        var rest = bytes.base64EncodedString()[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(lineLength)))
            rest = rest.dropFirst(lineLength)
        }
        return (lines + ["-----END \(label)-----"]).joined(separator: "\n")
    }

    /// The label of a first or last line: `PUBLIC KEY` for `-----BEGIN PUBLIC KEY-----`.
    private static func name(_ line: Substring, after word: String) -> Substring? {
        let (start, end) = ("-----\(word) ", "-----")
        guard line.hasPrefix(start), line.dropFirst(start.count).hasSuffix(end) else { return nil }
        return line.dropFirst(start.count).dropLast(end.count)
    }
}
