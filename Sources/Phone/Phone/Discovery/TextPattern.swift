import Foundation

/// A text to search for patterns, prepared once for many of them.
struct PatternSubject {
    let text: String
    /// The text in UTF-8.
    let bytes: [UInt8]
    /// Whether the text is printable ASCII only. Then bytes, characters and code points are the same.
    let isPlain: Bool
    /// The text without case, diacritical marks and width; computed when first needed.
    private var foldedBytes: [UInt8]?
    private var foldedPairs: PairSet?

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        isPlain = TextPattern.isPlain(bytes)
    }

    /// Whether the text contains the pattern.
    mutating func contains(_ pattern: TextPattern) -> Bool { pattern.isFound(in: &self) }

    /// The text without case, diacritical marks and width, in UTF-8.
    mutating func folded() -> [UInt8] {
        if let foldedBytes { return foldedBytes }
        let folded = isPlain ? bytes.map(TextPattern.lowered) : TextPattern.folded(text)
        foldedBytes = folded
        return folded
    }

    /// The byte pairs of the folded text.
    mutating func pairs() -> PairSet {
        if let foldedPairs { return foldedPairs }
        let pairs = PairSet(folded())
        foldedPairs = pairs
        return pairs
    }
}

/// The pairs of adjacent bytes that occur in a text: a set of 256 bits, with false positives but no false negatives.
///
/// Comparing four words rules out nearly every pattern that the text does not contain.
struct PairSet: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ bytes: [UInt8]) {
        for (first, second) in zip(bytes, bytes.dropFirst()) {
            let place = Int(first &* 31 &+ second)
            let bit = UInt64(1) << (place & 63)
            switch place >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }
    }

    /// Whether this set may contain all pairs of the other.
    func contains(_ other: PairSet) -> Bool {
        words.0 & other.words.0 == other.words.0 && words.1 & other.words.1 == other.words.1
            && words.2 & other.words.2 == other.words.2 && words.3 & other.words.3 == other.words.3
    }
}

/// A text to find in other texts, under `NSString.CompareOptions` (D7, D10).
///
/// Gives the same result as Foundation's `range(of:options:)`. It calls Foundation only if the bytes cannot decide: for
/// regular expressions, and for texts beyond ASCII that match without case, diacritical marks and width.
struct TextPattern: Sendable {
    private let text: String
    private let optionBits: UInt
    private let bytes: [UInt8]
    private let isPlain: Bool
    /// The text without case, diacritical marks and width; empty if the options include one that folding does not
    /// cover.
    private let folded: [UInt8]
    /// The byte pairs of the folded text. A subject that lacks one of them cannot contain the pattern.
    let pairs: PairSet

    /// - Parameter options: The raw value of an `NSString.CompareOptions`.
    init(_ text: String, options: UInt = 0) {
        self.text = text
        optionBits = options
        bytes = Array(text.utf8)
        let isFoldable = NSString.CompareOptions(rawValue: options).isSubset(of: TextPattern.comparable)
        isPlain = isFoldable && TextPattern.isPlain(bytes)
        if isPlain {
            folded = bytes.map(TextPattern.lowered)
        } else {
            folded = isFoldable ? TextPattern.folded(text) : []
        }
        pairs = PairSet(folded)
    }

    /// Whether the subject contains the pattern. No subject contains an empty pattern.
    func isFound(in subject: inout PatternSubject) -> Bool {
        guard !bytes.isEmpty, subject.pairs().contains(pairs) else { return false }
        let options = NSString.CompareOptions(rawValue: optionBits)
        if isPlain, subject.isPlain {
            return options.contains(.caseInsensitive)
                ? TextPattern.find(folded, in: subject.folded(), options)
                : TextPattern.find(bytes, in: subject.bytes, options)
        }
        guard folded.isEmpty || TextPattern.find(folded, in: subject.folded(), []) else { return false }
        return subject.text.range(of: text, options: options) != nil
    }

    /// The options that folding covers: texts that match under them also match when folded.
    private static let comparable: NSString.CompareOptions = [
        .literal, .anchored, .backwards, .caseInsensitive, .diacriticInsensitive, .widthInsensitive,
    ]

    private static func find(_ pattern: [UInt8], in text: [UInt8], _ options: NSString.CompareOptions) -> Bool {
        guard pattern.count <= text.count else { return false }
        if options.contains(.anchored) {
            let start = options.contains(.backwards) ? text.count - pattern.count : 0
            return text[start...].starts(with: pattern)
        }
        return text.withUnsafeBufferPointer { text in
            pattern.withUnsafeBufferPointer { pattern in
                (0...text.count - pattern.count).contains { start in
                    text[start] == pattern[0] && text[start...].starts(with: pattern)
                }
            }
        }
    }

    static func isPlain(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x20..<0x7F).contains($0) } }

    static func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The text without case, diacritical marks and width. This is coarser than any comparison in ``comparable``.
    static func folded(_ text: String) -> [UInt8] {
        let folded = text.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        return Array(folded.decomposedStringWithCanonicalMapping.utf8)
    }
}
