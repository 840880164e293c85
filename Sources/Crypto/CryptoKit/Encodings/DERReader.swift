/// Reads the fields of DER (X.690, section 10) one after the other, and refuses every other encoding.
///
/// OpenSSL's decoder is not used: it also accepts other encodings and explicit curve parameters, which attackers use.
/// The bytes may be secret, so the results are views of them, not copies.
struct DERReader {
    /// The types of fields in keys (X.690, section 8; RFC 5480; RFC 5915).
    enum Tag: UInt8 {
        case integer = 0x02
        case bitString = 0x03
        case octetString = 0x04
        case objectIdentifier = 0x06
        case sequence = 0x30
        case context0 = 0xA0
        case context1 = 0xA1
    }

    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    /// The content of the next field, which must have this type.
    mutating func read(_ tag: Tag) throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer {
        guard let first = rest.first else { throw .truncatedASN1Field }
        guard first & 0x1F != 0x1F else { throw .invalidFieldIdentifier }
        guard first == tag.rawValue else { throw .unexpectedFieldType }
        rest = rest.dropFirst()
        let length = try readLength()
        guard rest.count >= length else { throw .truncatedASN1Field }
        defer { rest = rest.dropFirst(length) }
        return UnsafeRawBufferPointer(rebasing: rest.prefix(length))
    }

    /// The content of the next field if it has this type; nil if it has another type or there are no more fields.
    mutating func readIfPresent(_ tag: Tag) throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer? {
        rest.first == tag.rawValue ? try read(tag) : nil
    }

    /// A reader for the fields of the next sequence.
    mutating func readSequence() throws(CryptoKitASN1Error) -> DERReader {
        DERReader(try read(.sequence))
    }

    /// An integer from 0 to 127, such as a version.
    mutating func readSmallInteger() throws(CryptoKitASN1Error) -> UInt8 {
        let bytes = try read(.integer)
        guard bytes.count == 1, bytes[0] < 0x80 else { throw .invalidASN1IntegerEncoding }
        return bytes[0]
    }

    /// A number that is not negative, with zeros before it to so many bytes.
    mutating func readNatural(count: Int) throws(CryptoKitASN1Error) -> [UInt8] {
        let bytes = try read(.integer)
        guard let first = bytes.first, first < 0x80 else { throw .invalidASN1IntegerEncoding }
        guard first != 0 || bytes.count == 1 || bytes[1] >= 0x80 else { throw .invalidASN1IntegerEncoding }
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= count else { throw .invalidASN1IntegerEncoding }
        return [UInt8](repeating: 0, count: count - digits.count) + digits
    }

    /// The bytes of a bit string that has whole bytes.
    mutating func readBitString() throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer {
        let bytes = try read(.bitString)
        guard bytes.first == 0 else { throw .invalidASN1Object }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }

    /// An object identifier, in its encoded form.
    mutating func readObjectIdentifier() throws(CryptoKitASN1Error) -> [UInt8] {
        let bytes = try read(.objectIdentifier)
        guard let last = bytes.last, last < 0x80 else { throw .invalidObjectIdentifier }
        return Array(bytes)
    }

    /// Checks that no bytes are left.
    func end() throws(CryptoKitASN1Error) {
        guard rest.isEmpty else { throw .invalidASN1Object }
    }

    /// A length in its shortest form (X.690, section 10.1).
    private mutating func readLength() throws(CryptoKitASN1Error) -> Int {
        guard let first = rest.popFirst() else { throw .truncatedASN1Field }
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        // Two bytes are enough for the length of every key.
        guard (1...2).contains(count) else { throw .unsupportedFieldLength }
        guard rest.count >= count else { throw .truncatedASN1Field }
        let length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
        guard length >= (count == 1 ? 0x80 : 0x100) else { throw .unsupportedFieldLength }
        return length
    }
}
