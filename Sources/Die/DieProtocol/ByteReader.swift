import FoundationEssentials

/// Reads fields from bytes that may be hostile. It checks every length before it copies.
struct ByteReader {
    private var rest: Data.SubSequence

    init(_ bytes: Data) {
        rest = bytes[...]
    }

    /// The number of remaining bytes.
    var count: Int { rest.count }

    mutating func bytes(_ count: Int, _ what: String) throws(DieProtocolError) -> Data {
        guard count <= rest.count else { throw .truncated(what: what) }
        defer { rest = rest.dropFirst(count) }
        return Data(rest.prefix(count))
    }

    mutating func uint8(_ what: String) throws(DieProtocolError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .truncated(what: what) }
        return byte
    }

    mutating func uint16(_ what: String) throws(DieProtocolError) -> UInt16 {
        try bytes(2, what).reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    mutating func uint32(_ what: String) throws(DieProtocolError) -> UInt32 {
        try bytes(4, what).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func text(_ count: Int, _ what: String) throws(DieProtocolError) -> String {
        let utf8 = try bytes(count, what)
        guard let text = String(validating: utf8, as: UTF8.self) else { throw .invalid(what: what) }
        return text
    }

    /// All remaining bytes.
    mutating func remainder() -> Data {
        defer { rest = rest.suffix(0) }
        return Data(rest)
    }

    func end(of what: String) throws(DieProtocolError) {
        guard rest.isEmpty else { throw .trailingBytes(what: what) }
    }
}

extension Data {
    /// Appends two bytes, least significant first.
    mutating func append(littleEndian value: UInt16) {
        append(contentsOf: [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)])
    }

    /// Appends four bytes, least significant first.
    mutating func append(littleEndian value: UInt32) {
        append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) })
    }

    /// Appends the length in one byte, then the text in UTF-8.
    mutating func append(shortText text: String, _ what: String) throws(DieProtocolError) {
        let utf8 = Array(text.utf8)
        guard utf8.count <= 255 else { throw .tooLong(what: what, count: utf8.count, limit: 255) }
        append(UInt8(utf8.count))
        append(contentsOf: utf8)
    }
}
