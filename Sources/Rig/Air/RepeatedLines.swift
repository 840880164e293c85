/// Thins out repeated lines of a log, so that a peer cannot fill the disk with them.
///
/// The first lines about a subject are all kept. After those, one line is kept each time their number has doubled.
struct RepeatedLines {
    /// How many lines about a subject are kept without gaps.
    static let allOf = 100

    private var counts: [String: Int] = [:]

    /// The line to write, or nil if it is left out.
    ///
    /// - Parameter subject: The subject of the line. There must be only a few subjects: each has a counter in memory.
    mutating func line(_ text: String, about subject: String) -> String? {
        let count = counts[subject, default: 0] + 1
        counts[subject] = count
        if count <= Self.allOf { return text }
        guard count.isMultiple(of: Self.allOf), (count / Self.allOf).nonzeroBitCount == 1 else { return nil }
        return "\(text) (the \(count)th line about \(subject); most are left out)"
    }
}
