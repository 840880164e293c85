import FoundationEssentials

extension P256.KeyAgreement.PublicKey {
    /// Makes the key with this X coordinate, 32 bytes, and the smaller of the two possible Y coordinates. Source:
    /// draft-jivsov-ecc-compact-05, section 4.1.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if no point
    ///   of the curve has this X coordinate.
    public init(compactRepresentation: some ContiguousBytes) throws {
        let x = compactRepresentation.withUnsafeBytes { Array($0) }
        guard x.count == P256Curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        let even = try P256Curve.uncompressed(point: [0x02] + x)
        self.init(
            point: P256Curve.hasSmallerY(even) ? even : try P256Curve.uncompressed(point: [0x03] + x))
    }

    /// The X coordinate, 32 bytes, if the key has the smaller Y coordinate; else nil.
    public var compactRepresentation: Data? {
        P256Curve.hasSmallerY(point) ? Data(point[1...32]) : nil
    }

    /// Reads a SubjectPublicKeyInfo (RFC 5480) in DER.
    ///
    /// - Throws: `CryptoKitASN1Error` if the bytes are not valid DER or name another curve;
    ///   `CryptoKitError.incorrectParameterSize` if the point does not have 65 bytes, for example because it is
    ///   compressed; `.underlyingCoreCryptoError` if the point is not on the curve.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        try self.init(x963Representation: P256Encoding.point(of: SecureBytes(gathering: derRepresentation)))
    }

    /// Reads a PEM document with the label `PUBLIC KEY`.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for any other text; the errors of
    ///   ``init(derRepresentation:)``.
    public init(pemRepresentation: String) throws {
        let document = try PEMDocument.read(pemRepresentation)
        guard document.label == "PUBLIC KEY" else { throw CryptoKitASN1Error.invalidPEMDocument }
        try self.init(x963Representation: P256Encoding.point(of: document.bytes))
    }

    /// The key as a SubjectPublicKeyInfo in DER, 91 bytes.
    public var derRepresentation: Data { P256Encoding.encoded(point: point) }

    /// The key as a PEM document with the label `PUBLIC KEY`, without a line break at the end.
    public var pemRepresentation: String { PEMDocument.write(label: "PUBLIC KEY", derRepresentation) }
}

extension P256.KeyAgreement.PrivateKey {
    /// Makes a random key.
    ///
    /// - Parameter compactRepresentable: Whether the public key must have a compact representation.
    public init(compactRepresentable: Bool = true) {
        var key = Self()
        while compactRepresentable && key.publicKey.compactRepresentation == nil { key = Self() }
        self = key
    }

    /// Reads the form of ANSI X9.63, 97 bytes: 0x04, X, Y, the private number.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` if the first byte is
    ///   not 0x04, `.underlyingCoreCryptoError` if the point does not belong to the number.
    public init(x963Representation: some ContiguousBytes) throws {
        let bytes = SecureBytes(copying: x963Representation)
        guard bytes.count == P256Curve.pointByteCount + P256Curve.scalarByteCount else {
            throw CryptoKitError.incorrectParameterSize
        }
        let (point, scalar) = bytes.split(at: P256Curve.pointByteCount)
        let publicKey = try point.withUnsafeBytes { try P256.KeyAgreement.PublicKey(x963Representation: $0) }
        try self.init(rawRepresentation: scalar)
        guard publicKey.point == self.publicKey.point else { throw P256Curve.invalid }
    }

    /// Reads a PrivateKeyInfo (PKCS #8, RFC 5208) or an ECPrivateKey (SEC 1, RFC 5915) in DER.
    ///
    /// - Throws: `CryptoKitASN1Error` if the bytes are neither of them in valid DER, or name another curve;
    ///   `CryptoKitError.incorrectParameterSize` if the number does not have 32 bytes; `.underlyingCoreCryptoError` if
    ///   it is not a valid key.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        let bytes = SecureBytes(gathering: derRepresentation)
        let scalar: SecureBytes
        do { scalar = try P256Encoding.scalar(ofPKCS8: bytes) } catch {
            scalar = try P256Encoding.scalar(ofSEC1: bytes)
        }
        try self.init(rawRepresentation: scalar)
    }

    /// Reads a PEM document with the label `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1).
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for any other text; the errors of
    ///   ``init(derRepresentation:)``.
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

    /// The form of ANSI X9.63, 97 bytes: 0x04, X, Y, the private number. The caller must keep the copy secret.
    public var x963Representation: Data {
        var bytes = Data(capacity: P256Curve.pointByteCount + P256Curve.scalarByteCount)
        bytes.append(contentsOf: publicKey.point)
        scalar.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The key as a PrivateKeyInfo in DER, 138 bytes. The caller must keep the copy secret.
    public var derRepresentation: Data { P256Encoding.encoded(scalar: scalar, point: publicKey.point) }

    /// The key as a PEM document with the label `PRIVATE KEY`, without a line break at the end. The caller must keep
    /// the copy secret.
    public var pemRepresentation: String {
        var bytes = derRepresentation
        defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
        return PEMDocument.write(label: "PRIVATE KEY", bytes)
    }
}
