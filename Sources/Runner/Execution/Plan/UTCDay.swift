import Glibc
import HILPOSIX

/// Days in UTC as text: `2026-12-31`.
package enum UTCDay {
    /// The current day.
    package static var today: String { text(time(nil)) }

    /// The day of a moment, in seconds since 1970.
    static func text(_ seconds: Int) -> String { calendarText(seconds, "%Y-%m-%d") }
}
