import Glibc

/// What standard output can show.
struct Terminal: Sendable {
    /// Lines can be taken back and drawn anew.
    let isLive: Bool
    /// Colours are wanted.
    let hasColours: Bool
    /// Columns and rows, at the moment of asking.
    let size: @Sendable () -> (columns: Int, rows: Int)

    /// A file or a pipe: plain lines.
    static let none = Terminal(isTerminal: false, environment: [:])

    /// The terminal that standard output is.
    static func standardOutput(environment: [String: String]) -> Terminal {
        Terminal(isTerminal: true, environment: environment) {
            var window = winsize()
            guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
                return (80, 24)
            }
            return (Int(window.ws_col), Int(window.ws_row))
        }
    }

    /// - Parameter environment: `TERM=dumb` takes nothing back; `NO_COLOR`, if it is not empty, wants no colours
    ///   (no-color.org).
    init(
        isTerminal: Bool, environment: [String: String],
        size: @escaping @Sendable () -> (columns: Int, rows: Int) = { (80, 24) }
    ) {
        isLive = isTerminal && environment["TERM"] != "dumb"
        hasColours = isLive && environment["NO_COLOR"] ?? "" == ""
        self.size = size
    }
}
