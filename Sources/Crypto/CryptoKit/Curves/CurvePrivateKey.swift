import FoundationEssentials

/// A private number, as this module keeps it. It is wiped when the last copy is released.
public struct CurveScalar: Sendable {
    /// Most significant byte first.
    let bytes: SecureBytes
}

/// What the private keys on P-256, P-384 and P-521 have in common. Apps use the keys themselves.
public protocol CurvePrivateKey: Sendable {
    /// The kind of public key that belongs to this kind of private key.
    associatedtype PublicKey: CurvePublicKey

    /// The public key that belongs to this private key.
    var publicKey: PublicKey { get }
    /// The key as this module keeps it.
    var scalar: CurveScalar { get }
    /// Takes a number and the point that belongs to it.
    init(checked scalar: CurveScalar, publicKey: PublicKey)
}

extension CurvePrivateKey {
    private static var curve: PrimeCurve { PublicKey.curve }
    private static var encoding: CurveEncoding { CurveEncoding(curve: curve) }

    private init(scalar: SecureBytes) throws {
        let point = CurvePoint(bytes: try Self.curve.point(of: scalar))
        self.init(checked: CurveScalar(bytes: scalar), publicKey: PublicKey(checked: point))
    }

    /// Makes a random key.
    public init() {
        do { try self.init(scalar: try Self.curve.randomScalar()) } catch {
            preconditionFailure("OpenSSL could not make a key on \(Self.curve.name): \(error)")
        }
    }

    /// Makes a random key.
    ///
    /// - Parameter compactRepresentable: Whether the public key must have a compact representation.
    public init(compactRepresentable: Bool = true) {
        var key = Self()
        while compactRepresentable && key.publicKey.compactRepresentation == nil { key = Self() }
        self = key
    }

    /// Reads the number, most significant byte first: 32, 48 or 66 bytes.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if the number
    ///   is zero or not below the order of the curve.
    public init(rawRepresentation: some ContiguousBytes) throws {
        let bytes = SecureBytes(copying: rawRepresentation)
        guard bytes.count == Self.curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        try self.init(scalar: bytes)
    }

    /// Reads the form of ANSI X9.63: 0x04, X, Y, the private number.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` if the first byte is
    ///   not 0x04, `.underlyingCoreCryptoError` if the point does not belong to the number.
    public init(x963Representation: some ContiguousBytes) throws {
        let bytes = SecureBytes(copying: x963Representation)
        guard bytes.count == Self.curve.pointByteCount + Self.curve.scalarByteCount else {
            throw CryptoKitError.incorrectParameterSize
        }
        let (point, scalar) = bytes.split(at: Self.curve.pointByteCount)
        let publicKey = try point.withUnsafeBytes { try PublicKey(x963Representation: $0) }
        try self.init(scalar: scalar)
        guard publicKey.point.bytes == self.publicKey.point.bytes else { throw PrimeCurve.invalid }
    }

    /// Reads a PrivateKeyInfo (PKCS #8, RFC 5208) or an ECPrivateKey (SEC 1, RFC 5915) in DER.
    ///
    /// - Throws: What is wrong with the bytes as an ECPrivateKey, also for a PrivateKeyInfo, as in swift-crypto:
    ///   `CryptoKitASN1Error` if they are not one in valid DER, or name another curve;
    ///   `CryptoKitError.incorrectParameterSize` if the number has another length; `.underlyingCoreCryptoError` if it
    ///   is not a valid key.
    public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
        let bytes = SecureBytes(gathering: derRepresentation)
        do { try self.init(rawRepresentation: Self.encoding.scalar(ofPKCS8: bytes)) } catch {
            try self.init(rawRepresentation: Self.encoding.scalar(ofSEC1: bytes))
        }
    }

    /// Reads a PEM document with the label `PRIVATE KEY` (PKCS #8) or `EC PRIVATE KEY` (SEC 1).
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument` for any other text; the errors of
    ///   ``init(derRepresentation:)``.
    public init(pemRepresentation: String) throws {
        let document = try PEMDocument.read(pemRepresentation)
        let scalar =
            switch document.label {
            case "PRIVATE KEY": try Self.encoding.scalar(ofPKCS8: document.bytes)
            case "EC PRIVATE KEY": try Self.encoding.scalar(ofSEC1: document.bytes)
            default: throw CryptoKitASN1Error.invalidPEMDocument
            }
        try self.init(rawRepresentation: scalar)
    }

    /// The number, most significant byte first. The caller must keep the copy secret.
    public var rawRepresentation: Data { scalar.bytes.withUnsafeBytes { Data($0) } }

    /// The form of ANSI X9.63: 0x04, X, Y, the private number. The caller must keep the copy secret.
    public var x963Representation: Data {
        var bytes = Data(capacity: Self.curve.pointByteCount + Self.curve.scalarByteCount)
        bytes.append(contentsOf: publicKey.point.bytes)
        scalar.bytes.withUnsafeBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The key as a PrivateKeyInfo in DER. The caller must keep the copy secret.
    public var derRepresentation: Data { Self.encoding.encoded(scalar: scalar.bytes, point: publicKey.point.bytes) }

    /// The key as a PEM document with the label `PRIVATE KEY`, without a line break at the end. The caller must keep
    /// the copy secret.
    public var pemRepresentation: String {
        var bytes = derRepresentation
        defer { bytes.resetBytes(in: bytes.startIndex..<bytes.endIndex) }
        return PEMDocument.write(label: "PRIVATE KEY", bytes)
    }
}
