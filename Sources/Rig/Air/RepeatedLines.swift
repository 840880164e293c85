/// Thins out lines of a log that come again and again, so that nobody fills the disk with them.
///
/// Of each subject the first lines are kept, and after those one line each time their number has doubled.
struct RepeatedLines {
    /// How many lines of a subject are all kept.
    static let allOf = 100

    private var counts: [String: Int] = [:]

    /// The line to write; nil for none.
    ///
    /// - Parameter subject: What the line is about: one of few, or this would grow in place of the log.
    mutating func line(_ text: String, about subject: String) -> String? {
        let count = counts[subject, default: 0] + 1
        counts[subject] = count
        if count <= Self.allOf { return text }
        guard count.isMultiple(of: Self.allOf), (count / Self.allOf).nonzeroBitCount == 1 else { return nil }
        return "\(text) (the \(count)th line about \(subject); most are left out)"
    }
}
