/// Why an encoded key is none, under the names that Apple's CryptoKit gives these errors.
public enum CryptoKitASN1Error: Error, Hashable, Sendable {
    /// A tag takes more than one byte.
    case invalidFieldIdentifier
    /// A field is of another type than the one that belongs here.
    case unexpectedFieldType
    /// An object identifier has no bytes, or its last number does not end.
    case invalidObjectIdentifier
    /// The fields are well formed and make no key of this kind: another curve, another version, something left over.
    case invalidASN1Object
    /// An integer has no bytes, more than it needs, or too many.
    case invalidASN1IntegerEncoding
    /// The bytes end before a field does.
    case truncatedASN1Field
    /// A length is not in its shortest form, or indefinite.
    case unsupportedFieldLength
    /// The text is no PEM document of one block, or a block of another kind.
    case invalidPEMDocument
}
