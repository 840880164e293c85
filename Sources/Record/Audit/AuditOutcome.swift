/// What came of a control in an audit.
package enum AuditOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// What was tried did not work.
    case holds
    /// An attacker can do what must not be.
    case breached
    /// An attacker can do what must not be, and the team accepts it by the control's name, with a reason.
    case accepted
    /// There is nothing to attack.
    case doesNotApply
    /// Nothing on this rig shows it; something else may.
    case outOfReach
    /// Nobody tried.
    case notChecked
    /// The check came to no end: the rig failed, or the accessory could not be set up.
    case undecided

    /// In words: `does not apply`.
    package var words: String {
        switch self {
        case .holds, .breached, .accepted, .undecided: rawValue
        case .doesNotApply: "does not apply"
        case .outOfReach: "out of reach"
        case .notChecked: "not checked"
        }
    }

    /// The words after a number of controls: `hold`.
    package var plural: String {
        switch self {
        case .holds: "hold"
        case .doesNotApply: "do not apply"
        default: words
        }
    }
}
