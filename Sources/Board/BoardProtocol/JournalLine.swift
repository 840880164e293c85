/// One line of a board's journal, which is a file of such JSON objects:
/// `{"line":"…","source":"hostapd","t":1795216965863590000}`.
package struct JournalLine: Sendable, Hashable, Codable {
    /// The board's clock was set just before this line was written.
    package struct ClockSet: Sendable, Hashable, Codable {
        /// How long the board has been running, by the clock that its kernel's log counts with, nanoseconds.
        package var uptime: UInt64
        /// By how much the clock was moved, nanoseconds; negative is back.
        package var jump: Int64

        package init(uptime: UInt64, jump: Int64) { (self.uptime, self.jump) = (uptime, jump) }
    }

    /// Nanoseconds since 1970, by the board's clock.
    package var t: UInt64
    /// The program that said it.
    package var source: String
    package var line: String
    /// What the agent tells when it sets the clock; nil in every other line.
    package var clockSet: ClockSet?

    package init(t: UInt64, source: String, line: String, clockSet: ClockSet? = nil) {
        self.t = t
        self.source = source
        self.line = line
        self.clockSet = clockSet
    }
}
