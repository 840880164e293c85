import BoardProtocol
import Glibc
import HILPOSIX

extension PseudoTerminal {
    /// A terminal of a board, of this size.
    static func onBoard(_ size: ShellRequest.Size) throws(SystemError) -> PseudoTerminal {
        try mountFileSystem()
        let terminal = try PseudoTerminal(from: "/dev/pts/ptmx")
        terminal.resize(size)
        return terminal
    }

    /// Changes the size. Programs in the terminal get `SIGWINCH`.
    func resize(_ size: ShellRequest.Size) {
        var value = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller.raw, UInt(TIOCSWINSZ), &value)
    }

    /// Mounts /dev/pts unless it is mounted.
    private static func mountFileSystem() throws(SystemError) {
        guard access("/dev/pts/ptmx", F_OK) != 0 else { return }
        mkdir("/dev/pts", 0o755)
        try valueOrErrno("mount", "mounting /dev/pts") {
            mount("devpts", "/dev/pts", "devpts", 0, "mode=620,ptmxmode=666")
        }
    }
}
