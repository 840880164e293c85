import BoardProtocol
import Foundation
import POSIX

/// The terminal of the person at this machine.
struct LocalTerminal: Sendable {
    /// Whether a person types and reads: standard input and output are a terminal.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Its size; 24 rows of 80 where it does not tell.
    static var size: ShellRequest.Size {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return ShellRequest.Size(rows: 24, columns: 80)
        }
        return ShellRequest.Size(rows: size.ws_row, columns: size.ws_col)
    }

    /// What kind it is.
    static var kind: String {
        let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return kind.isEmpty ? "vt100" : kind
    }

    /// Runs `body` while every key goes through as it is, Ctrl-C too; the terminal is as it was then, whatever happened.
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
