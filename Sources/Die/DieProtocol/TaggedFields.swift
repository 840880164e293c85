import FoundationEssentials

/// The fields of an update or a reply: tag 1, length 4, value. Each tag occurs at most once, in any order.
struct TaggedFields {
    private(set) var values: [UInt8: Data] = [:]

    /// Reads all remaining bytes.
    init(_ reader: inout ByteReader) throws(DieProtocolError) {
        while reader.count > 0 {
            let tag = try reader.uint8("a field's tag")
            // On a machine with 32 bits, a length of 2 GiB or more does not fit an `Int`.
            let length = Int(clamping: try reader.uint32("a field's length"))
            guard values.updateValue(try reader.bytes(length, "a field's value"), forKey: tag) == nil else {
                throw .invalid(what: "a field, twice,")
            }
        }
    }

    func text(_ tag: UInt8) throws(DieProtocolError) -> String? {
        guard let value = values[tag] else { return nil }
        guard let text = String(validating: value, as: UTF8.self) else { throw .invalid(what: "a text") }
        return text
    }

    /// A field of one byte; nil if it is missing.
    func byte(_ tag: UInt8, _ what: String) throws(DieProtocolError) -> UInt8? {
        guard let value = values[tag] else { return nil }
        guard value.count == 1 else { throw .invalid(what: what) }
        return value.first
    }

    /// A field of 8 bytes, least significant first; nil if it is missing.
    func number(_ tag: UInt8, _ what: String) throws(DieProtocolError) -> UInt64? {
        guard let value = values[tag] else { return nil }
        guard value.count == 8 else { throw .invalid(what: what) }
        return value.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func identifier(_ notification: UInt8, _ source: UInt8) throws(DieProtocolError) -> NotificationIdentifier {
        guard let notification = try text(notification), let source = try text(source) else {
            throw .truncated(what: "the notification's identifier")
        }
        return NotificationIdentifier(source: source, notification: notification)
    }
}

extension Data {
    /// Appends one tagged field.
    mutating func append(field value: Data, _ tag: UInt8) {
        append(tag)
        append(littleEndian: UInt32(clamping: value.count))
        append(value)
    }

    /// Appends one tagged text field. Does nothing for an empty text.
    mutating func append(text: String, _ tag: UInt8) {
        if !text.isEmpty { append(field: Data(text.utf8), tag) }
    }

    /// Appends eight bytes, least significant first.
    mutating func append(littleEndian value: UInt64) {
        append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) })
    }

    /// Appends the length in two bytes, then the text in UTF-8.
    mutating func append(mediumText text: String, _ what: String) throws(DieProtocolError) {
        let utf8 = Array(text.utf8)
        guard utf8.count <= Int(UInt16.max) else {
            throw .tooLong(what: what, count: utf8.count, limit: Int(UInt16.max))
        }
        append(littleEndian: UInt16(utf8.count))
        append(contentsOf: utf8)
    }
}
