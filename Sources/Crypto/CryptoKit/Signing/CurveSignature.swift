import FoundationEssentials

/// What signatures with ECDSA on P-256, P-384 and P-521 have in common. Apps use the signatures themselves.
public protocol CurveSignature: ContiguousBytes, Sendable {
    /// r‖s: 64, 96 or 132 bytes.
    var rawRepresentation: Data { get }
    /// The curve, as this module knows it.
    static var curveName: CurveName { get }
    /// Takes r‖s of the right length.
    init(checked rawRepresentation: Data)
}

extension CurveSignature {
    private static var half: Int { curveName.curve.scalarByteCount }

    /// Reads r‖s.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length.
    public init(rawRepresentation: some DataProtocol) throws {
        guard rawRepresentation.count == 2 * Self.half else { throw CryptoKitError.incorrectParameterSize }
        self.init(checked: Data(rawRepresentation))
    }

    /// Reads the sequence of r and s in DER (RFC 3279, 2.2.3).
    ///
    /// - Throws: `CryptoKitASN1Error` if the bytes are not valid DER, or a number is negative;
    ///   `CryptoKitError.incorrectParameterSize` if a number is too long.
    public init(derRepresentation: some DataProtocol) throws {
        let bytes = SecureBytes(gathering: derRepresentation)
        let (r, s) = try bytes.withUnsafeBytes { bytes in
            var fields = try DERReader.document(bytes)
            let numbers = (try fields.readNatural(), try fields.readNatural())
            try fields.end()
            return numbers
        }
        guard max(r.count, s.count) <= Self.half else { throw CryptoKitError.incorrectParameterSize }
        func padded(_ number: [UInt8]) -> [UInt8] {
            [UInt8](repeating: 0, count: Self.half - number.count) + number
        }
        self.init(checked: Data(padded(r) + padded(s)))
    }

    /// The sequence of r and s in DER (RFC 3279, 2.2.3).
    public var derRepresentation: Data {
        let (r, s) = (rawRepresentation.prefix(Self.half), rawRepresentation.suffix(Self.half))
        return Data(DER.field(.sequence, DER.integer(r) + DER.integer(s)))
    }

    /// Calls `body` with r‖s. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try rawRepresentation.withUnsafeBytes(body)
    }
}

/// Public keys that check signatures with ECDSA. Apps use the keys themselves.
public protocol CurveVerifyingKey: CurvePublicKey {
    associatedtype Signature: CurveSignature
    /// The hash function for data that is signed without a given digest.
    associatedtype Hash: HashFunction
}

extension CurveVerifyingKey {
    /// Whether a signature belongs to a digest and this key.
    public func isValidSignature<D: Digest>(_ signature: Signature, for digest: D) -> Bool {
        let key = try? ECDSA.Key(point: point.bytes, on: Self.curve)
        return digest.withUnsafeBytes { key?.isValid(signature.derRepresentation, for: $0) ?? false }
    }

    /// Whether a signature belongs to data and this key.
    public func isValidSignature<D: DataProtocol>(_ signature: Signature, for data: D) -> Bool {
        isValidSignature(signature, for: Hash.hash(data: data))
    }
}

/// Private keys that sign with ECDSA. Apps use the keys themselves.
public protocol CurveSigningKey: CurvePrivateKey where PublicKey: CurveVerifyingKey {}

extension CurveSigningKey {
    /// Signs a digest. Two signatures of one digest differ.
    public func signature<D: Digest>(for digest: D) throws -> PublicKey.Signature {
        let key = try ECDSA.Key(point: publicKey.point.bytes, scalar: scalar.bytes, on: PublicKey.curve)
        return try PublicKey.Signature(derRepresentation: digest.withUnsafeBytes { try key.sign($0) })
    }

    /// Signs data, by its digest.
    public func signature<D: DataProtocol>(for data: D) throws -> PublicKey.Signature {
        try signature(for: PublicKey.Hash.hash(data: data))
    }
}
