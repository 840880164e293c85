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

    /// How many fields may lie in one another, as in swift-crypto.
    private static let deepest = 10

    private var rest: UnsafeRawBufferPointer.SubSequence

    /// Reads the content of a field that was checked.
    init(_ bytes: UnsafeRawBufferPointer) {
        rest = bytes[...]
    }

    /// A reader for the fields of a document that is one sequence.
    ///
    /// The whole document is checked first, as in swift-crypto: a wrong length anywhere is reported before a field that
    /// does not belong there.
    static func document(_ bytes: UnsafeRawBufferPointer) throws(CryptoKitASN1Error) -> DERReader {
        var document = DERReader(bytes)
        try document.checkField(depth: 1)
        try document.end()
        document = DERReader(bytes)
        return try document.readSequence()
    }

    /// Checks the next field and all fields in it.
    private mutating func checkField(depth: Int) throws(CryptoKitASN1Error) {
        guard depth <= Self.deepest else { throw .invalidASN1Object }
        let (tag, content) = try readField()
        guard tag & 0x20 != 0 else { return }
        var fields = DERReader(content)
        while !fields.rest.isEmpty { try fields.checkField(depth: depth + 1) }
    }

    /// The type and the content of the next field.
    private mutating func readField() throws(CryptoKitASN1Error) -> (UInt8, UnsafeRawBufferPointer) {
        guard let tag = rest.popFirst() else { throw .truncatedASN1Field }
        guard tag & 0x1F != 0x1F else { throw .invalidFieldIdentifier }
        let length = try readLength()
        guard rest.count >= length else { throw .truncatedASN1Field }
        defer { rest = rest.dropFirst(length) }
        return (tag, UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
    }

    /// The content of the next field, which must have this type.
    mutating func read(_ tag: Tag) throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer {
        guard let first = rest.first else { throw .invalidASN1Object }
        guard first == tag.rawValue else { throw .unexpectedFieldType }
        return try readField().1
    }

    /// The content of the next field if it has this type; nil if it has another type or there are no more fields.
    mutating func readIfPresent(_ tag: Tag) throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer? {
        rest.first == tag.rawValue ? try read(tag) : nil
    }

    /// A reader for the fields of the next sequence.
    mutating func readSequence() throws(CryptoKitASN1Error) -> DERReader {
        DERReader(try read(.sequence))
    }

    /// The bytes of an integer in its shortest form, most significant byte first.
    private mutating func readInteger() throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer {
        let bytes = try read(.integer)
        guard let first = bytes.first else { throw .invalidASN1IntegerEncoding }
        if bytes.count > 1 {
            let isPadded = first == 0x00 && bytes[1] < 0x80 || first == 0xFF && bytes[1] >= 0x80
            guard !isPadded else { throw .invalidASN1IntegerEncoding }
        }
        return bytes
    }

    /// Checks that the next field is the version `version`.
    mutating func readVersion(_ version: UInt8) throws(CryptoKitASN1Error) {
        guard try readInteger().elementsEqual([version]) else { throw .invalidASN1Object }
    }

    /// The bytes of a number that is not negative, without zeros before it.
    mutating func readNatural() throws(CryptoKitASN1Error) -> [UInt8] {
        let bytes = try readInteger()
        guard bytes[0] < 0x80 else { throw .invalidASN1IntegerEncoding }
        return Array(bytes.drop { $0 == 0 })
    }

    /// The bytes of a bit string that consists of whole bytes.
    mutating func readBitString() throws(CryptoKitASN1Error) -> UnsafeRawBufferPointer {
        let bytes = try read(.bitString)
        guard bytes.first == 0 else { throw .invalidASN1Object }
        return UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    }

    /// An object identifier, in its encoded form.
    mutating func readObjectIdentifier() throws(CryptoKitASN1Error) -> [UInt8] {
        let bytes = try read(.objectIdentifier)
        guard bytes.isEmpty || bytes[bytes.count - 1] < 0x80 else { throw .invalidASN1Object }
        // The first number stands for two. A number ends with a byte below 0x80.
        guard bytes.count(where: { $0 < 0x80 }) >= 2 else { throw .invalidObjectIdentifier }
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
        guard count > 0 else { throw .unsupportedFieldLength }
        guard rest.count >= count else { throw .truncatedASN1Field }
        guard count <= 8 else { throw .invalidASN1Object }
        let length = rest.prefix(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length >= 0x80, length >> (8 * UInt64(count - 1)) > 0 else { throw .unsupportedFieldLength }
        rest = rest.dropFirst(count)
        guard let length = Int(exactly: length) else { throw .invalidASN1Object }
        return length
    }
}
