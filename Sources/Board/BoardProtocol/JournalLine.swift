/// One line of a board's journal, which is a file of such JSON objects:
/// `{"line":"…","source":"hostapd","t":1795216965863590000}`.
package struct JournalLine: Sendable, Hashable, Codable {
    /// Says that the board's clock was set just before this line was written.
    package struct ClockSet: Sendable, Hashable, Codable {
        /// How long the board has been running in nanoseconds, by the clock of its kernel's log.
        package var uptime: UInt64
        /// By how many nanoseconds the clock was moved; negative values move it back.
        package var jump: Int64

        package init(uptime: UInt64, jump: Int64) { (self.uptime, self.jump) = (uptime, jump) }
    }

    /// How a line begins with which the agent tells why it ends.
    package static let agentEnds = "the agent ends: "

    /// Nanoseconds since 1970, by the board's clock.
    package var t: UInt64
    /// The program that wrote the line.
    package var source: String
    package var line: String
    /// Set in the line that the agent writes when it sets the clock; nil in all other lines.
    package var clockSet: ClockSet?

    package init(t: UInt64, source: String, line: String, clockSet: ClockSet? = nil) {
        self.t = t
        self.source = source
        self.line = line
        self.clockSet = clockSet
    }
}
