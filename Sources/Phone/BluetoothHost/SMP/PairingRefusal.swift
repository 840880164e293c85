/// Why this end stops a pairing: what the peer is told, and what the peer did.
struct PairingRefusal: Error, Sendable, Hashable {
    var reason: PairingFailure
    /// In plain words, about the peer: `its confirm value is our own`.
    var text: String

    init(_ reason: PairingFailure, _ text: String) {
        self.reason = reason
        self.text = text
    }

    /// A command that is not due.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part H, 3.5.5.
    static func unexpected(_ command: SMPCommand) -> PairingRefusal {
        PairingRefusal(.unspecifiedReason, "it sent a \(command.code) that was not due")
    }
}
