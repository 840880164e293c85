import Glibc
import HILCLinux

/// A pseudo terminal (pty(7)): a program's terminal at one end, this process at the other.
///
/// The kernel numbers terminals, so that no two that are open have one path.
package final class PseudoTerminal: Sendable {
    /// This process's end. Reads fail with `EIO` once nobody has the terminal open any more.
    package let controller: Descriptor
    /// The terminal's path: `/dev/pts/7`.
    package let path: String

    /// - Parameter multiplexer: The file by which new terminals are made.
    /// - Throws: ``SystemError`` if the system has no pseudo terminals, or no more of them.
    package init(from multiplexer: String = "/dev/ptmx") throws(SystemError) {
        controller = try Descriptor.open(multiplexer, O_RDWR | O_NOCTTY)
        let raw = controller.raw
        try valueOrErrno("unlockpt", "unlocking a terminal") { unlockpt(raw) }
        var name = [CChar](repeating: 0, count: 64)
        let code = ptsname_r(raw, &name, name.count)
        guard code == 0 else { throw SystemError(code: code, action: "naming a terminal") }
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The end for a program.
    package func open() throws(SystemError) -> Descriptor { try Descriptor.open(path, O_RDWR | O_NOCTTY) }

    /// The end for a program that expects bytes as they are, in both directions. Only its owner may open the terminal.
    package func openRaw() throws(SystemError) -> Descriptor {
        let terminal = try open()
        // Otherwise the group tty may write to it, as write(1) does.
        try valueOrErrno("fchmod", "keeping \(path) to its owner") { fchmod(terminal.raw, 0o600) }
        var modes = termios()
        try valueOrErrno("tcgetattr", "reading the modes of \(path)") { tcgetattr(terminal.raw, &modes) }
        cfmakeraw(&modes)
        try valueOrErrno("tcsetattr", "setting the modes of \(path)") { tcsetattr(terminal.raw, TCSANOW, &modes) }
        return terminal
    }
}
