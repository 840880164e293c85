/// What a phone does with a request for security, by the state of the link.
package struct SecurityPolicy: Sendable, Hashable, Codable {
    /// An answer to a Security Request or a Pairing Request.
    package enum Answer: Sendable, Hashable, Codable {
        /// Asks the person, then pairs.
        case ask
        /// Pairs; the person is asked by the method, or as ``PairingFeatures/consent`` says.
        case pair
        /// Encrypts the link with the key of the bond.
        case encrypt
        case ignore
        /// Sends Pairing Failed.
        case refuse(PairingFailure)
    }

    /// The central's answer to a Security Request without a bond.
    package var unpaired = Answer.pair
    /// The central's answer to a Security Request with a bond, before the link is encrypted.
    package var bonded = Answer.encrypt
    /// The same, if the peripheral asks for more security than the bond has.
    ///
    /// The specification wants a new pairing (Core Specification 6.0, Vol 3, Part H, 2.4.6). Encryption is assumed: many
    /// peripherals ask for more than they can do, and would pair again at each connection.
    package var weaklyBonded = Answer.encrypt
    /// The central's answer to a Security Request while the link is being encrypted. Phones send Pairing Failed; its
    /// reason is assumed.
    package var encrypting = Answer.refuse(.pairingNotSupported)
    /// The central's answer to a Security Request on an encrypted link.
    package var encrypted = Answer.ignore
    /// The same, if the peripheral asks for more security than the key of the link has.
    package var weaklyEncrypted = Answer.ignore
    /// The central's answer to a Security Request during a pairing, when only ``Answer/ignore`` and
    /// ``Answer/refuse(_:)`` are possible. Both ends may have sent their requests at the same time.
    package var pairing = Answer.ignore
    /// The peripheral's answer to a Pairing Request without a bond.
    package var pairingRequest = Answer.pair
    /// The peripheral's answer to a Pairing Request with a bond: the central has lost its key, or wants a better one.
    package var bondedPairingRequest = Answer.pair
    /// What a peer is told after a command that belongs to no pairing; nil if the command is ignored.
    package var strayCommand: PairingFailure?

    /// Whether this device itself waits after a failed pairing before it starts another one, as its peers must.
    package var limitsOwnAttempts = true

    package init() {}
}
