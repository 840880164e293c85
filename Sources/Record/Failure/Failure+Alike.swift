extension Failure {
    /// The message without its numbers, which identifies the same failure in another run.
    package var alike: String { Failure.alike(message) }

    /// A text in which every number and every hexadecimal word is `#`.
    package static func alike(_ text: String) -> String {
        text.replacing(/\b[0-9A-Fa-f]{2,}(?:[-:][0-9A-Fa-f]{2,})+\b|[0-9]+(?:\.[0-9]+)?/, with: "#")
    }
}
