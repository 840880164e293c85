import HILPOSIX

/// Moments as text, in UTC.
enum UTC {
    /// A moment in nanoseconds since 1970, as `2026-01-14T09:30:15Z`.
    static func text(_ nanoseconds: UInt64) -> String {
        calendarText(Int(nanoseconds / 1_000_000_000), "%Y-%m-%dT%H:%M:%SZ")
    }
}
