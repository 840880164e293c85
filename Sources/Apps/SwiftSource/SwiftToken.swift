/// A word, a sign or a literal of a Swift source.
package struct SwiftToken: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A keyword or a name, with its backticks if it has any.
        case word
        /// A number, a string with all that is interpolated in it, or a regular expression.
        case literal
        /// One character of punctuation or of an operator.
        case sign
    }

    package var kind: Kind
    /// As written in the source.
    package var text: String
    /// Its place in the source, in bytes of UTF-8.
    package var range: Range<Int>
    /// The line that it begins on, counted from 1.
    package var line: Int
    /// Whether it is the first token on its line.
    package var isFirstOnLine: Bool

    package func isWord(_ word: String) -> Bool { kind == .word && text == word }
    package func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}
