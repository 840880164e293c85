import BoardProtocol
import Foundation
import HILPOSIX

/// The terminal of this process.
struct LocalTerminal: Sendable {
    /// Whether standard input and output are a terminal.
    static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// The size of the terminal; 24 rows of 80 columns if it is unknown.
    static var size: ShellRequest.Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return ShellRequest.Size(rows: 24, columns: 80)
        }
        return ShellRequest.Size(rows: size.ws_row, columns: size.ws_col)
    }

    /// The type of the terminal, from `TERM`.
    static var kind: String {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return kind.isEmpty ? "vt100" : kind
    }

    /// Runs `body` in raw mode: every key is passed on, even Ctrl-C. The terminal's mode is restored in any case.
    static func raw<Result>(_ isWanted: Bool, _ body: () async throws -> Result) async throws -> Result {
        var before = termios()
        guard isWanted, tcgetattr(STDIN_FILENO, &before) == 0 else { return try await body() }
        var raw = before
        cfmakeraw(&raw)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        return try await body()
    }
}
