/// Private keys that agree on secrets with ECDH (NIST SP 800-56A). Apps use the keys themselves.
public protocol CurveAgreementKey: CurvePrivateKey, DiffieHellmanKeyAgreement {}

extension CurveAgreementKey {
    /// Computes the shared secret: the X coordinate of this number times the other end's point.
    public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
        SharedSecret(bytes: try PublicKey.curve.agree(scalar: scalar.bytes, point: publicKeyShare.point.bytes))
    }
}
