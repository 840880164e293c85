import RadioModel

/// The security of one LE link: its pairings, its encryption with the key of a bond, and its answers to the peer.
///
/// It is the only way to the Security Manager channel of the link.
/// Source: Core Specification 6.0, Vol 3, Part H, 2.4 and 3.
package struct SecurityManager: Sendable {
    package typealias Setup = PairingSession.Setup
    package typealias Output = PairingSession.Output
    package typealias Encryption = PairingSession.Encryption

    enum State: Sendable {
        case idle
        /// The person is asked whether to pair. The responder has the Pairing Request already.
        case asking(request: [UInt8]?, deadline: Duration)
        /// The peripheral has sent a Security Request.
        case requested(deadline: Duration)
        case pairing(PairingSession)
        /// The central is encrypting the link with the key of the bond.
        case encrypting(StoredBond, size: Int)
        /// Time ran out, or the link is lost: nothing is sent or accepted any more.
        case closed
    }

    /// The key that encrypts the link.
    struct ActiveKey: Sendable, Hashable {
        var strength: Bond
        /// In bytes.
        var size: Int
    }

    /// The link and the device. A change of the features counts from the next pairing on.
    package var setup: Setup
    package var policy: SecurityPolicy
    /// The bond with the peer. A pairing that makes a new one replaces it.
    package var bond: StoredBond?
    /// The failures of this peer. The owner keeps them for the next link.
    package internal(set) var attempts: AttemptLimiter
    var state = State.idle
    var activeKey: ActiveKey?
    /// Whether the controller of a peripheral has the key of the bond.
    var isBondKeyGiven = false

    package init(
        _ setup: Setup, policy: SecurityPolicy = SecurityPolicy(), bond: StoredBond? = nil,
        attempts: AttemptLimiter = AttemptLimiter()
    ) {
        self.setup = setup
        self.policy = policy
        self.bond = bond
        self.attempts = attempts
    }

    /// Whether the device is the link's central.
    var isCentral: Bool { setup.role == .initiator }

    /// How the link is protected now.
    package var protection: LinkProtection { activeKey.map { LinkProtection($0.strength) } ?? .none }

    /// The size of the key that encrypts the link, in bytes; 0 without encryption.
    package var keySize: Int { activeKey?.size ?? 0 }

    package var isPairing: Bool {
        if case .pairing = state { true } else { false }
    }

    /// Whether time ran out in a pairing, or the link is lost: nothing is sent or accepted any more.
    package var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// When something is due.
    package var deadline: Duration? {
        switch state {
        case .idle, .encrypting, .closed: nil
        case .asking(_, let deadline), .requested(let deadline): deadline
        case .pairing(let session): session.deadline
        }
    }

    /// Ends what is overdue.
    package mutating func advance(to now: Duration) -> [Output] {
        guard let deadline, now >= deadline else { return [] }
        switch state {
        case .idle, .encrypting, .closed: return []
        case .asking: return close(.timeout, by: .local, while: .consent)
        case .requested: return close(.timeout, by: .peer, while: .askingForSecurity)
        case .pairing: return withSession(at: now) { $0.advance(to: now) }
        }
    }

    /// Ends everything, because the link is lost.
    package mutating func linkLost(at now: Duration) -> [Output] {
        activeKey = nil
        switch state {
        case .idle, .encrypting, .closed:
            state = .closed
            return []
        case .asking: return close(.linkLost, by: .link, while: .consent)
        case .requested: return close(.linkLost, by: .link, while: .askingForSecurity)
        case .pairing:
            let outputs = withSession(at: now) { $0.linkLost() }
            state = .closed
            return outputs
        }
    }

    private mutating func close(
        _ cause: PairingEnd.Cause, by side: PairingEnd.Side, while step: PairingStep
    ) -> [Output] {
        state = .closed
        return [.failed(PairingEnd(cause, by: side, while: step))]
    }

    /// Lets the pairing do something, and notes its end.
    mutating func withSession(at now: Duration, _ body: (inout PairingSession) -> [Output]) -> [Output] {
        guard case .pairing(var session) = state else { return [] }
        let outputs = body(&session)
        state = .pairing(session)
        if let key = session.activeKey { activeKey = ActiveKey(strength: key.strength, size: key.size) }
        for output in outputs {
            switch output {
            case .completed(let result):
                activeKey = ActiveKey(strength: result.strength, size: result.keySize)
                bond = result.bond ?? bond
                state = .idle
            case .failed(let end):
                attempts.note(end, at: now)
                state = session.hasTimedOut ? .closed : .idle
            default: break
            }
        }
        return outputs
    }
}

extension LinkProtection {
    /// The protection of a link that is encrypted with such a key.
    package init(_ bond: Bond) {
        switch (bond.isAuthenticated, bond.isSecureConnections) {
        case (false, _): self = .encrypted
        case (true, false): self = .authenticated
        case (true, true): self = .secureConnections
        }
    }
}
