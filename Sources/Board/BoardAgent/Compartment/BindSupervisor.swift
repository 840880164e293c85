import Glibc
import HILBlueZ
import HILPOSIX
import RadioModel

/// Restricts a program and its descendants to some of the board's controllers: the kernel asks it about each socket
/// that they bind.
///
/// It does not stop an attacker. It only stops a program from using the adapter of another one by mistake.
package final class BindSupervisor: Sendable {
    /// The subcommand of this program that starts another one under supervision.
    package static let subcommand = "supervised"
    /// The number that the socket to the supervisor has in the started program.
    private static let socketNumber: Int32 = 3

    /// What the program may bind to.
    struct Scope: Sendable {
        /// Its view of the management interface.
        var view: ManagementView
        /// The controller for its other sockets, and its address; nil if they may be bound to any.
        var own: (number: UInt16, address: DeviceAddress)?
    }

    private let scope: Scope
    /// The socket to this supervisor. It becomes descriptor 3 of the started program.
    let socket: Descriptor

    /// - Parameter scope: What the program may bind to.
    init(_ scope: Scope) throws(SystemError) {
        self.scope = scope
        let (here, there) = try UnixSocket.pair()
        socket = there
        startThread(named: "binds") { [self] in
            guard let listener = BindSupervisor.receive(from: here) else { return }
            SupervisedBinds(listener).serve { carryOut($0) }
        }
    }

    /// A command line that starts a program under supervision, with ``socket`` as descriptor 3.
    static func supervised(_ command: [String]) throws(SystemError) -> [String] {
        [try ownProgram(), subcommand] + command
    }

    /// `hil-board supervised COMMAND…`: becomes the program, which is supervised from then on.
    package static func become(_ command: [String]) throws(SystemError) -> Never {
        let listener = try SupervisedBinds.begin()
        let way = Descriptor(adopting: socketNumber)
        try UnixSocket.send([0], with: [listener], to: way)
        for descriptor in [listener, way] { descriptor.close() }
        guard let program = command.first else { throw SystemError(code: EINVAL, action: "starting no program") }
        execvp(program, command.map { strdup($0) } + [nil])
        throw SystemError(code: errno, action: "starting \(program)")
    }

    private static func receive(from socket: Descriptor) -> Descriptor? {
        var wait = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        while poll(&wait, 1, -1) == -1, errno == EINTR {}
        return (try? UnixSocket.receive(upTo: 1, from: socket))?.descriptors.first
    }

    private func carryOut(_ call: SupervisedBinds.Call) -> SupervisedBinds.Answer {
        guard var name = SocketName(call.name), let socket = try? call.socket() else { return .goesOn }
        if name.isManagement {
            // Other sockets can only read; a socket from here could do more.
            guard call.mayAdministerNetwork else { return .goesOn }
            do throws(SystemError) { return .replaced(try ManagementRelay.begin(scope.view)) } catch {
                return .fails(error.code)
            }
        }
        guard let own = scope.own, name.turn(to: own.number, own.address) else { return .goesOn }
        let code = name.bytes.withUnsafeBytes { bytes in
            bind(socket.raw, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        return code == 0 ? .done : .fails(errno)
    }
}
