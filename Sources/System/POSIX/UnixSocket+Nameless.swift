import Glibc
import HILCLinux

extension UnixSocket {
    /// A listening socket that only this process can name.
    package struct Nameless: Sendable {
        /// The non-blocking listener.
        package let listener: Descriptor
        /// Stands for the file, which is deleted: it is gone when the process ends.
        private let file: Descriptor

        init(_ listener: Descriptor, _ file: Descriptor) { (self.listener, self.file) = (listener, file) }

        /// What this process connects to; it means something else to every other process.
        package var path: String { "/proc/self/fd/\(file.raw)" }
    }

    /// Listens on a socket without a name in the file system.
    package static func listenNameless(backlog: Int32 = 64) throws(SystemError) -> Nameless {
        let action = "making a folder in /tmp for a socket"
        var template = Array("/tmp/hil-socket-XXXXXX".utf8CString)
        try valueOrErrno("mkdtemp", action) { mkdtemp(&template) == nil ? -1 : 0 }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/socket"
        defer {
            unlink(path)
            rmdir(folder)
        }
        let listener = try listen(at: path, backlog: backlog)
        try listener.setNonBlocking()
        return Nameless(listener, try Descriptor.open(path, __O_PATH))
    }

    /// The process that has connected this socket, or made the pair; nil for other files.
    package static func peerProcess(of socket: Descriptor) -> pid_t? {
        // struct ucred: process, user, group (unix(7)).
        var credentials: [Int32] = [0, 0, 0]
        var size = socklen_t(MemoryLayout<Int32>.size * credentials.count)
        return getsockopt(socket.raw, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials[0] : nil
    }
}
