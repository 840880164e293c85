import FoundationEssentials

/// Keys on a prime curve in the encodings of X.509 and PKCS #8 (RFC 5480, section 2; RFC 5208, section 5; RFC 5915, section 3).
///
/// The curve must be given by name. Explicit parameters are refused, because they can give another generator, order or
/// cofactor for the same points.
struct CurveEncoding {
    let curve: PrimeCurve

    /// id-ecPublicKey, 1.2.840.10045.2.1.
    private static let algorithm: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// The encoded sequence of both object identifiers.
    private var algorithmIdentifier: [UInt8] {
        DER.field(.sequence, DER.field(.objectIdentifier, Self.algorithm) + curveIdentifier)
    }
    private var curveIdentifier: [UInt8] { DER.field(.objectIdentifier, curve.objectIdentifier) }

    /// The point of a SubjectPublicKeyInfo. The caller must check that it is on the curve.
    ///
    /// - Throws: `CryptoKitASN1Error`, or `CryptoKitError.incorrectParameterSize` if the point has another length,
    ///   for example because it is on another curve.
    func point(of encoded: SecureBytes) throws -> [UInt8] {
        try encoded.withUnsafeBytes { bytes in
            var fields = try DERReader.document(bytes)
            var identifier = try fields.readSequence()
            let algorithm = try identifier.readObjectIdentifier()
            let point = try fields.readBitString()
            try fields.end()
            guard point.count == curve.pointByteCount else { throw CryptoKitError.incorrectParameterSize }
            try check(algorithm, on: &identifier)
            return Array(point)
        }
    }

    /// A SubjectPublicKeyInfo with an uncompressed point.
    func encoded(point: [UInt8]) -> Data {
        Data(DER.field(.sequence, algorithmIdentifier + DER.field(.bitString, [0x00] + point)))
    }

    /// The scalar of a PrivateKeyInfo. The caller must check its range. Attributes are skipped.
    func scalar(ofPKCS8 encoded: SecureBytes) throws -> SecureBytes {
        try encoded.withUnsafeBytes { bytes in
            var fields = try DERReader.document(bytes)
            try fields.readVersion(0)
            var identifier = try fields.readSequence()
            let algorithm = try identifier.readObjectIdentifier()
            let key = try fields.read(.octetString)
            _ = try fields.readIfPresent(.context0)
            try fields.end()
            let scalar = try scalar(ofSEC1: key)
            try check(algorithm, on: &identifier)
            return scalar
        }
    }

    /// The scalar of an ECPrivateKey. The caller must check its range. A public key in it is skipped.
    func scalar(ofSEC1 encoded: SecureBytes) throws -> SecureBytes {
        try encoded.withUnsafeBytes { try scalar(ofSEC1: $0) }
    }

    private func scalar(ofSEC1 encoded: UnsafeRawBufferPointer) throws -> SecureBytes {
        var fields = try DERReader.document(encoded)
        try fields.readVersion(1)
        let scalar = try fields.read(.octetString)
        let parameters = try fields.readIfPresent(.context0).map { parameters throws(CryptoKitASN1Error) in
            var inner = DERReader(parameters)
            let name = try inner.readObjectIdentifier()
            try inner.end()
            return name
        }
        if let publicKey = try fields.readIfPresent(.context1) {
            var inner = DERReader(publicKey)
            _ = try inner.readBitString()
            try inner.end()
        }
        try fields.end()
        guard scalar.count == curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        guard parameters == nil || parameters == curve.objectIdentifier else {
            throw CryptoKitASN1Error.invalidASN1Object
        }
        return SecureBytes(copying: scalar)
    }

    /// A PrivateKeyInfo with a scalar and its point, in the same form as OpenSSL's. The caller must keep it secret.
    func encoded(scalar: SecureBytes, point: [UInt8]) -> Data {
        let version = DER.field(.integer, [0x01])
        let publicKey = DER.field(.context1, DER.field(.bitString, [0x00] + point))
        let secret = DER.header(.octetString, count: scalar.count)
        let keyCount = version.count + secret.count + scalar.count + publicKey.count
        let key = DER.header(.sequence, count: keyCount)
        let octets = DER.header(.octetString, count: key.count + keyCount)
        let start = DER.field(.integer, [0x00]) + algorithmIdentifier + octets + key + version + secret
        let count = start.count + scalar.count + publicKey.count
        let outer = DER.header(.sequence, count: count)
        // The secret bytes are only in memory that the caller gets.
        var encoded = Data(capacity: outer.count + count)
        encoded.append(contentsOf: outer + start)
        scalar.withUnsafeBytes { encoded.append(contentsOf: $0) }
        encoded.append(contentsOf: publicKey)
        return encoded
    }

    /// Checks the algorithm of a key, and the name of the curve, which is next.
    private func check(_ algorithm: [UInt8], on parameters: inout DERReader) throws(CryptoKitASN1Error) {
        guard algorithm == Self.algorithm else { throw .invalidASN1Object }
        guard try parameters.readObjectIdentifier() == curve.objectIdentifier else { throw .invalidASN1Object }
        try parameters.end()
    }
}
