import FoundationEssentials

/// Keys on P-256 in the encodings of X.509 and PKCS #8 (RFC 5480, section 2; RFC 5208, section 5; RFC 5915, section 3).
///
/// The curve must be given by name. Explicit parameters are refused, because they can give another generator, order or
/// cofactor for the same points.
enum P256Encoding {
    /// id-ecPublicKey, 1.2.840.10045.2.1.
    private static let algorithm: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// prime256v1, 1.2.840.10045.3.1.7.
    private static let curve: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    /// The encoded sequence of both object identifiers.
    private static let algorithmIdentifier: [UInt8] =
        [0x30, 0x13, 0x06, 0x07] + algorithm + [0x06, 0x08] + curve

    /// The point of a SubjectPublicKeyInfo. The caller must check that it is on the curve.
    ///
    /// - Throws: `CryptoKitASN1Error`, or `CryptoKitError.incorrectParameterSize` if the key does not have 65 bytes,
    ///   for example because it is on another curve.
    static func point(of encoded: SecureBytes) throws -> [UInt8] {
        try encoded.withUnsafeBytes { bytes in
            var outer = DERReader(bytes)
            var fields = try outer.readSequence()
            try outer.end()
            var identifier = try fields.readSequence()
            let point = try fields.readBitString()
            try fields.end()
            guard point.count == P256Curve.pointByteCount else { throw CryptoKitError.incorrectParameterSize }
            try checkAlgorithm(&identifier)
            return Array(point)
        }
    }

    /// A SubjectPublicKeyInfo with a point of 65 bytes.
    static func encoded(point: [UInt8]) -> Data {
        Data([0x30, 0x59] + algorithmIdentifier + [0x03, 0x42, 0x00] + point)
    }

    /// The scalar of a PrivateKeyInfo. The caller must check its range. Attributes are skipped.
    static func scalar(ofPKCS8 encoded: SecureBytes) throws -> SecureBytes {
        try encoded.withUnsafeBytes { bytes in
            var outer = DERReader(bytes)
            var fields = try outer.readSequence()
            try outer.end()
            guard try fields.readSmallInteger() == 0 else { throw CryptoKitASN1Error.invalidASN1Object }
            var identifier = try fields.readSequence()
            let key = try fields.read(.octetString)
            _ = try fields.readIfPresent(.context0)
            try fields.end()
            let scalar = try scalar(ofSEC1: key)
            try checkAlgorithm(&identifier)
            return scalar
        }
    }

    /// The scalar of an ECPrivateKey. The caller must check its range. A public key in it is skipped.
    static func scalar(ofSEC1 encoded: SecureBytes) throws -> SecureBytes {
        try encoded.withUnsafeBytes { try scalar(ofSEC1: $0) }
    }

    private static func scalar(ofSEC1 encoded: UnsafeRawBufferPointer) throws -> SecureBytes {
        var outer = DERReader(encoded)
        var fields = try outer.readSequence()
        try outer.end()
        guard try fields.readSmallInteger() == 1 else { throw CryptoKitASN1Error.invalidASN1Object }
        let scalar = try fields.read(.octetString)
        let parameters = try fields.readIfPresent(.context0)
        if let publicKey = try fields.readIfPresent(.context1) {
            var inner = DERReader(publicKey)
            _ = try inner.readBitString()
            try inner.end()
        }
        try fields.end()
        guard scalar.count == P256Curve.scalarByteCount else { throw CryptoKitError.incorrectParameterSize }
        if let parameters {
            var inner = DERReader(parameters)
            try checkCurve(&inner)
        }
        return SecureBytes(copying: scalar)
    }

    /// A PrivateKeyInfo with a scalar and its point, in the same form as OpenSSL's. The caller must keep it secret.
    static func encoded(scalar: SecureBytes, point: [UInt8]) -> Data {
        scalar.withUnsafeBytes { scalar in
            var encoded = Data(capacity: 138)
            encoded.append(contentsOf: [0x30, 0x81, 0x87, 0x02, 0x01, 0x00] + algorithmIdentifier)
            encoded.append(contentsOf: [0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20])
            encoded.append(contentsOf: scalar)
            encoded.append(contentsOf: [0xA1, 0x44, 0x03, 0x42, 0x00] + point)
            return encoded
        }
    }

    private static func checkAlgorithm(_ identifier: inout DERReader) throws(CryptoKitASN1Error) {
        guard try identifier.readObjectIdentifier() == algorithm else { throw .invalidASN1Object }
        try checkCurve(&identifier)
    }

    private static func checkCurve(_ reader: inout DERReader) throws(CryptoKitASN1Error) {
        guard try reader.readObjectIdentifier() == curve else { throw .invalidASN1Object }
        try reader.end()
    }
}
