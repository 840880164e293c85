/// Writes fields of DER (X.690, section 10).
enum DER {
    /// The type and the length of a field.
    static func header(_ tag: DERReader.Tag, count: Int) -> [UInt8] {
        switch count {
        case ..<0x80: [tag.rawValue, UInt8(count)]
        case ..<0x100: [tag.rawValue, 0x81, UInt8(count)]
        default: [tag.rawValue, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    }

    /// A whole field. Its content has fewer than 65,536 bytes.
    static func field(_ tag: DERReader.Tag, _ content: [UInt8]) -> [UInt8] {
        header(tag, count: content.count) + content
    }

    /// A number that is not negative, most significant byte first.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = bytes.drop { $0 == 0 }
        return field(.integer, (digits.first.map { $0 >= 0x80 } ?? true ? [0] : []) + digits)
    }
}
