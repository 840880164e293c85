import BoardProtocol
import CLinux
import Glibc
import POSIX

/// A terminal for a program of the board, with its other end in our hands.
final class PseudoTerminal: Sendable {
    /// Our end.
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

    /// The program's end.
    func slave() throws(SystemError) -> Descriptor { try Descriptor.open(path, O_RDWR | O_NOCTTY) }

    /// Gives it another size; who runs in it is told by `SIGWINCH`.
    func resize(_ size: ShellRequest.Size) {
        var value = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master.raw, UInt(TIOCSWINSZ), &value)
    }

    /// A board has none until it is needed.
    private static func mountFileSystem() throws(SystemError) {
        guard access("/dev/pts/ptmx", F_OK) != 0 else { return }
        mkdir("/dev/pts", 0o755)
        try valueOrErrno("mount", "mounting /dev/pts") {
            mount("devpts", "/dev/pts", "devpts", 0, "mode=620,ptmxmode=666")
        }
    }
}
