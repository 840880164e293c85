/// Something that failed in a scenario, and whose fault it is.
package struct Failure: Sendable, Hashable, Codable {
    /// Whose fault a failure is.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// The fault of the accessory or the app.
        case product
        /// The fault of the rig: nothing is known about the product.
        case rig
    }

    package var kind: Kind
    /// What failed. The first line is enough to understand it.
    package var message: String
    /// The line of the scenario; nil if no line belongs to the failure.
    package var location: SourceLocation?
    /// What it is based on.
    package var basis: Basis
    /// How long the scenario had waited in vain when it failed, in seconds; nil if it did not wait.
    package var waited: Double?
    /// How late the machine and the rig were until it failed; nil if unknown.
    package var lateness: Lateness?
    /// The defect found outside the scenario's own steps; nil for a failure of a step or an expectation.
    package var finding: Finding?

    /// The first line of the message.
    package var headline: String { String(message.prefix { !$0.isNewline }) }

    package init(
        _ kind: Kind, _ message: String, at location: SourceLocation? = nil, basis: Basis = .seen,
        finding: Finding? = nil
    ) {
        self.kind = kind
        self.message = message
        self.location = location
        self.basis = basis
        self.finding = finding
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(Kind.self, forKey: .kind)
        message = try values.decode(String.self, forKey: .message)
        location = try values.decodeIfPresent(SourceLocation.self, forKey: .location)
        // Records of earlier formats have none of these.
        basis = try values.decodeIfPresent(Basis.self, forKey: .basis) ?? .seen
        waited = try values.decodeIfPresent(Double.self, forKey: .waited)
        lateness = try values.decodeIfPresent(Lateness.self, forKey: .lateness)
        finding = try values.decodeIfPresent(Finding.self, forKey: .finding)
    }
}
