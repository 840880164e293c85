import FoundationEssentials

extension HPKE {
    /// Whether the sender is authenticated by its private key (RFC 9180, section 5). A pre-shared key is independent of
    /// this.
    enum Mode {
        case base
        case authenticated

        /// The first byte of the key schedule's context (table 1).
        func identifier(hasPresharedKey: Bool) -> UInt8 {
            (self == .authenticated ? 2 : 0) + (hasPresharedKey ? 1 : 0)
        }
    }

    /// A key that both ends already have.
    struct PresharedKey {
        let key: SymmetricKey
        let identifier: Data

        /// Checks that neither key nor identifier is empty: `VerifyPSKInputs` (section 5.1).
        func check() throws(Errors) {
            switch (key.bitCount == 0, identifier.isEmpty) {
            case (false, false): break
            case (true, true): throw .expectedPSK
            default: throw .inconsistentPSKInputs
            }
        }
    }
}
