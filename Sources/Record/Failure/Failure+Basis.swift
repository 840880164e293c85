extension Failure {
    /// What a failure is based on.
    package enum Basis: String, Sendable, Hashable, Codable {
        /// Lateness cannot cause it: a crash, wrong bytes, a secret in the clear. It counts on any machine.
        case certain
        /// It was seen, or missed, at one moment. On a machine that was not late, the result may differ.
        case seen

        package init(from decoder: any Decoder) throws {
            // Records of earlier formats have others, all of which lateness can cause.
            self = Basis(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .seen
        }
    }
}
