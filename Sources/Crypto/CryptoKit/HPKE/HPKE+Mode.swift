import FoundationEssentials

extension HPKE {
    /// What a sender shows of itself (RFC 9180, section 5), besides that it may know a pre-shared key.
    enum Mode {
        case base
        case authenticated

        /// The first byte of the key schedule's context (table 1).
        func identifier(hasPresharedKey: Bool) -> UInt8 {
            (self == .authenticated ? 2 : 0) + (hasPresharedKey ? 1 : 0)
        }
    }

    /// A key that both ends shared before.
    struct PresharedKey {
        let key: SymmetricKey
        let identifier: Data

        /// `VerifyPSKInputs` (section 5.1).
        func check() throws(Errors) {
            switch (key.bitCount == 0, identifier.isEmpty) {
            case (false, false): break
            case (true, true): throw .expectedPSK
            default: throw .inconsistentPSKInputs
            }
        }
    }
}
