/// Where a program crashed: `lamp+0x1a3 (on_write, lamp.c:70)`.
struct CrashPlace: CustomStringConvertible {
    let description: String

    /// - Parameter text: The first line of a board's report of a crash; it comes from the board, so it may be anything.
    /// - Returns: Nil for any other line, and for a report without a place.
    init?(inReport text: String) {
        guard let match = text.firstMatch(of: /crashed with signal \d+ at (.+)/) else { return nil }
        description = String(match.1.prefix(200))
    }

    /// How long before the report the signal came; nil for a line that does not say it.
    static func age(inReport text: String) -> Duration? {
        guard let match = text.wholeMatch(of: /the signal came (\d{1,6}) ms before this report/) else { return nil }
        return Int(match.1).map { .milliseconds($0) }
    }
}
