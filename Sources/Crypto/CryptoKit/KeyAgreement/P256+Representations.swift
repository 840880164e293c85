import FoundationEssentials

extension P256.KeyAgreement.PublicKey {
    /// The key whose X coordinate is given, 32 bytes, and whose Y coordinate is the smaller of the two that belong to it
    /// (draft-jivsov-ecc-compact-05, section 4.1).
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` for an X that
    ///   belongs to no point of the curve.
    public init(compactRepresentation: some ContiguousBytes) throws {
        let x = compactRepresentation.withUnsafeBytes { Array($0) }
        guard x.count == P256Curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        let even = try P256Curve.uncompressed(point: [0x02] + x)
        self.init(
            point: P256Curve.hasSmallerY(even) ? even : try P256Curve.uncompressed(point: [0x03] + x))
    }

    /// X, 32 bytes, which is all of a key whose Y coordinate is the smaller one; nil for another.
    public var compactRepresentation: Data? {
        P256Curve.hasSmallerY(point) ? Data(point[1...32]) : nil
    }

    /// The key of a SubjectPublicKeyInfo (RFC 5480) in DER.
    ///
    /// - Throws: `CryptoKitASN1Error` for bytes that are none in the distinguished encoding, and for parameters that do
    ///   not name this curve; `CryptoKitError.incorrectParameterSize` for a point that has not 65 bytes, compressed or on
    ///   another curve; `.underlyingCoreCryptoError` for one that is not on the curve.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        try self.init(x963Representation: P256Encoding.point(of: SecureBytes(gathering: derRepresentation)))
    }

    /// The key of a PEM document `PUBLIC KEY`.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for another text; as ``init(derRepresentation:)``.
    public init(pemRepresentation: String) throws {
        let document = try PEMDocument.read(pemRepresentation)
        guard document.label == "PUBLIC KEY" else { throw CryptoKitASN1Error.invalidPEMDocument }
        try self.init(x963Representation: P256Encoding.point(of: document.bytes))
    }

    /// The SubjectPublicKeyInfo in DER, 91 bytes.
    public var derRepresentation: Data { P256Encoding.encoded(point: point) }

    /// The PEM document `PUBLIC KEY`, with no end of line after it.
    public var pemRepresentation: String { PEMDocument.write(label: "PUBLIC KEY", derRepresentation) }
}

extension P256.KeyAgreement.PrivateKey {
    /// A random key.
    ///
    /// - Parameter compactRepresentable: whether its public key is to have a compact representation.
    public init(compactRepresentable: Bool = true) {
        var key = Self()
        while compactRepresentable && key.publicKey.compactRepresentation == nil { key = Self() }
        self = key
    }

    /// The key in the form of ANSI X9.63: 0x04, X, Y, then the number, 97 bytes.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` where it does not start
    ///   with 0x04, `.underlyingCoreCryptoError` where the point is not the number's.
    public init(x963Representation: some ContiguousBytes) throws {
        let bytes = SecureBytes(copying: x963Representation)
        guard bytes.count == P256Curve.pointByteCount + P256Curve.scalarByteCount else {
            throw CryptoKitError.incorrectParameterSize
        }
        let (point, scalar) = bytes.split(at: P256Curve.pointByteCount)
        let publicKey = try point.withUnsafeBytes { try P256.KeyAgreement.PublicKey(x963Representation: $0) }
        try self.init(rawRepresentation: scalar)
        guard publicKey == self.publicKey else { throw P256Curve.invalid }
    }

    /// The key of a PrivateKeyInfo (PKCS #8, RFC 5208) or of an ECPrivateKey (SEC 1, RFC 5915) in DER.
    ///
    /// - Throws: `CryptoKitASN1Error` for bytes that are neither in the distinguished encoding, and for another curve;
    ///   `CryptoKitError.incorrectParameterSize` for a number that has not 32 bytes; `.underlyingCoreCryptoError` for one
    ///   that is no key.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        let bytes = SecureBytes(gathering: derRepresentation)
        let scalar: SecureBytes
        do { scalar = try P256Encoding.scalar(ofPKCS8: bytes) } catch {
            scalar = try P256Encoding.scalar(ofSEC1: bytes)
        }
        try self.init(rawRepresentation: scalar)
    }

    /// The key of a PEM document `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1).
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for another text; as ``init(derRepresentation:)``.
    public init(pemRepresentation: String) throws {
        let document = try PEMDocument.read(pemRepresentation)
        let scalar =
            switch document.label {
            case "PRIVATE KEY": try P256Encoding.scalar(ofPKCS8: document.bytes)
            case "EC PRIVATE KEY": try P256Encoding.scalar(ofSEC1: document.bytes)
            default: throw CryptoKitASN1Error.invalidPEMDocument
            }
        try self.init(rawRepresentation: scalar)
    }

    /// 0x04, X, Y, then the number, 97 bytes. The copy is the caller's to keep secret.
    public var x963Representation: Data {
        var bytes = Data(capacity: P256Curve.pointByteCount + P256Curve.scalarByteCount)
        bytes.append(contentsOf: publicKey.point)
        scalar.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The PrivateKeyInfo in DER, 138 bytes. The copy is the caller's to keep secret.
    public var derRepresentation: Data { P256Encoding.encoded(scalar: scalar, point: publicKey.point) }

    /// The PEM document `PRIVATE KEY`, with no end of line after it. The copy is the caller's to keep secret.
    public var pemRepresentation: String {
        var bytes = derRepresentation
        defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
        return PEMDocument.write(label: "PRIVATE KEY", bytes)
    }
}
