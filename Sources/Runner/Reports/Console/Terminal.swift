import Glibc

/// The abilities of standard output.
struct Terminal: Sendable {
    /// Whether lines can be erased and redrawn.
    let isLive: Bool
    /// Whether to use colours.
    let hasColours: Bool
    /// Returns the current number of columns and rows.
    let size: @Sendable () -> (columns: Int, rows: Int)

    /// A file or a pipe: plain lines.
    static let none = Terminal(isTerminal: false, environment: [:])

    /// The terminal behind standard output.
    static func standardOutput(environment: [String: String]) -> Terminal {
        Terminal(isTerminal: true, environment: environment) {
            var window = winsize()
            guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
                return (80, 24)
            }
            return (Int(window.ws_col), Int(window.ws_row))
        }
    }

    /// - Parameter environment: With `TERM=dumb`, lines cannot be erased; with `NO_COLOR`, if it is not empty, there
    ///   are no colours (no-color.org).
    init(
        isTerminal: Bool, environment: [String: String],
        size: @escaping @Sendable () -> (columns: Int, rows: Int) = { (80, 24) }
    ) {
        isLive = isTerminal && environment["TERM"] != "dumb"
        hasColours = isLive && environment["NO_COLOR"] ?? "" == ""
        self.size = size
    }
}
