/// What came of a check of an audit.
package enum AuditVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    case holds
    /// An attacker can do what must not be.
    case breached
    /// An attacker can do it, and the team allows it on purpose.
    case accepted
    /// There is nothing to attack.
    case doesNotApply
    /// Nothing here can show it.
    case outOfReach
    /// The rig failed, or the machine was late.
    case error

    /// In words: `does not apply`.
    package var words: String {
        switch self {
        case .doesNotApply: "does not apply"
        case .outOfReach: "out of reach"
        case .holds, .breached, .accepted, .error: rawValue
        }
    }
}
