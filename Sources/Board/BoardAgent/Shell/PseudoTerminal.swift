import BoardProtocol
import Glibc
import HILCLinux
import HILPOSIX

/// A pseudo-terminal for a program on the board.
final class PseudoTerminal: Sendable {
    /// The agent's end.
    let master: Descriptor
    private let path: String

    init(_ size: ShellRequest.Size) throws(SystemError) {
        try PseudoTerminal.mountFileSystem()
        master = try Descriptor.open("/dev/pts/ptmx", O_RDWR | O_NOCTTY)
        let raw = master.raw
        try valueOrErrno("unlockpt", "unlocking a terminal") { unlockpt(raw) }
        var name = [CChar](repeating: 0, count: 64)
        let code = ptsname_r(raw, &name, name.count)
        guard code == 0 else { throw SystemError(code: code, action: "naming a terminal") }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        resize(size)
    }

    /// The end for the program.
    func slave() throws(SystemError) -> Descriptor { try Descriptor.open(path, O_RDWR | O_NOCTTY) }

    /// Changes the size. Programs in the terminal get `SIGWINCH`.
    func resize(_ size: ShellRequest.Size) {
        var value = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master.raw, UInt(TIOCSWINSZ), &value)
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
