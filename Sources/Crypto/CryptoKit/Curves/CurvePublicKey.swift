import FoundationEssentials

/// A point of a curve, as this module keeps it.
public struct CurvePoint: Hashable, Sendable {
    /// In the uncompressed form: 0x04, X, Y.
    let bytes: [UInt8]
}

/// What the public keys on P-256, P-384 and P-521 have in common. Apps use the keys themselves.
public protocol CurvePublicKey: Sendable {
    /// The key as this module keeps it.
    var point: CurvePoint { get }
    /// The curve, as this module knows it.
    static var curveName: CurveName { get }
    /// Takes a point that was checked.
    init(checked point: CurvePoint)
}

/// A curve's name, as this module knows it.
public struct CurveName: Sendable {
    let curve: PrimeCurve
    /// The key encapsulation of HPKE that uses this curve.
    let kem: HPKE.KEM

    static let p256 = CurveName(curve: .p256, kem: .P256_HKDF_SHA256)
    static let p384 = CurveName(curve: .p384, kem: .P384_HKDF_SHA384)
    static let p521 = CurveName(curve: .p521, kem: .P521_HKDF_SHA512)
}

extension CurvePublicKey {
    static var curve: PrimeCurve { curveName.curve }

    private init(reading bytes: [UInt8]) throws {
        self.init(checked: CurvePoint(bytes: try Self.curve.uncompressed(point: bytes)))
    }

    /// Reads the coordinates X‖Y: 64, 96 or 132 bytes.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if the point
    ///   is not on the curve.
    public init(rawRepresentation: some ContiguousBytes) throws {
        let coordinates = rawRepresentation.withUnsafeBytes { Array($0) }
        guard coordinates.count == Self.curve.pointByteCount - 1 else { throw CryptoKitError.incorrectParameterSize }
        try self.init(reading: [0x04] + coordinates)
    }

    /// Reads the uncompressed form of ANSI X9.63: 0x04, X, Y.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` if the first byte is
    ///   not 0x04, `.underlyingCoreCryptoError` if the point is not on the curve.
    public init(x963Representation: some ContiguousBytes) throws {
        let bytes = x963Representation.withUnsafeBytes { Array($0) }
        guard bytes.count == Self.curve.pointByteCount else { throw CryptoKitError.incorrectParameterSize }
        guard bytes[0] == 0x04 else { throw CryptoKitError.incorrectKeySize }
        try self.init(reading: bytes)
    }

    /// Reads the compressed form of ANSI X9.63: 0x02 or 0x03, X.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` for another first
    ///   byte, `.underlyingCoreCryptoError` if no point of the curve has this X coordinate.
    public init(compressedRepresentation: some ContiguousBytes) throws {
        let bytes = compressedRepresentation.withUnsafeBytes { Array($0) }
        guard bytes.count == Self.curve.scalarByteCount + 1 else { throw CryptoKitError.incorrectParameterSize }
        guard bytes[0] == 0x02 || bytes[0] == 0x03 else { throw CryptoKitError.incorrectKeySize }
        try self.init(reading: bytes)
    }

    /// Makes the key with this X coordinate and the smaller of the two possible Y coordinates. Source:
    /// draft-jivsov-ecc-compact-05, section 4.1.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if no point
    ///   of the curve has this X coordinate.
    public init(compactRepresentation: some ContiguousBytes) throws {
        let x = compactRepresentation.withUnsafeBytes { Array($0) }
        guard x.count == Self.curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        let even = try Self.curve.uncompressed(point: [0x02] + x)
        try self.init(reading: Self.curve.hasSmallerY(even) ? even : [0x03] + x)
    }

    /// Reads a SubjectPublicKeyInfo (RFC 5480) in DER.
    ///
    /// - Throws: `CryptoKitASN1Error` if the bytes are not valid DER or name another curve;
    ///   `CryptoKitError.incorrectParameterSize` if the point has another length, for example because it is compressed;
    ///   `.underlyingCoreCryptoError` if the point is not on the curve.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        try self.init(
            x963Representation: CurveEncoding(curve: Self.curve).point(of: SecureBytes(gathering: derRepresentation)))
    }

    /// Reads a PEM document with the label `PUBLIC KEY`.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for any other text; the errors of
    ///   ``init(derRepresentation:)``.
    public init(pemRepresentation: String) throws {
        let document = try PEMDocument.read(pemRepresentation)
        guard document.label == "PUBLIC KEY" else { throw CryptoKitASN1Error.invalidPEMDocument }
        try self.init(x963Representation: CurveEncoding(curve: Self.curve).point(of: document.bytes))
    }

    private var half: Int { Self.curve.scalarByteCount }

    /// The coordinates X‖Y: 64, 96 or 132 bytes.
    public var rawRepresentation: Data { Data(point.bytes[1...]) }

    /// The uncompressed form of ANSI X9.63: 0x04, X, Y.
    public var x963Representation: Data { Data(point.bytes) }

    /// The compressed form of ANSI X9.63: 0x02 if Y is even or 0x03 if it is odd, then X.
    public var compressedRepresentation: Data {
        Data([0x02 | (point.bytes[2 * half] & 1)] + point.bytes[1...half])
    }

    /// The X coordinate if the key has the smaller Y coordinate; else nil.
    public var compactRepresentation: Data? {
        Self.curve.hasSmallerY(point.bytes) ? Data(point.bytes[1...half]) : nil
    }

    /// The key as a SubjectPublicKeyInfo in DER.
    public var derRepresentation: Data { CurveEncoding(curve: Self.curve).encoded(point: point.bytes) }

    /// The key as a PEM document with the label `PUBLIC KEY`, without a line break at the end.
    public var pemRepresentation: String { PEMDocument.write(label: "PUBLIC KEY", derRepresentation) }
}
