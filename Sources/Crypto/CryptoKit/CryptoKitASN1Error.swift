/// The reason why an encoded key cannot be read. The names are those of Apple's CryptoKit.
public enum CryptoKitASN1Error: Error, Hashable, Sendable {
    /// A tag takes more than one byte.
    case invalidFieldIdentifier
    /// A field does not have the expected type.
    case unexpectedFieldType
    /// An object identifier has fewer than two numbers.
    case invalidObjectIdentifier
    /// The fields are not a key of this kind: one is missing or too many, another curve, another version, extra bytes,
    /// too many fields in one another, or a length beyond 64 bits.
    case invalidASN1Object
    /// An integer is empty, is not in its shortest form, or is negative.
    case invalidASN1IntegerEncoding
    /// The bytes end in the middle of a field.
    case truncatedASN1Field
    /// A length is indefinite or not in its shortest form.
    case unsupportedFieldLength
    /// The text is not a PEM document of one block, or the block has another label.
    case invalidPEMDocument
}
