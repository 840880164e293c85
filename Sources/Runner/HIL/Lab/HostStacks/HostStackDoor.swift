import HILPOSIX
import RigModel

/// Where the program of a host stack waits for its controller. No two that are open have the same name.
protocol HostStackDoor: Sendable {
    /// The path or port number that the program gets in place of its placeholder.
    var place: String { get }

    /// Connects the program with a controller's socket, now and whenever it comes again. The controller says what is
    /// wrong with a second connection beside the first one.
    ///
    /// - Parameter say: Called with a sentence about a client that is not let in.
    /// - Throws: ``SystemError`` if the controller cannot be reached.
    func open(to controller: String, say: @escaping @Sendable (String) -> Void) throws(SystemError)

    /// Closes the door after the program has ended.
    func close()
}

/// A Unix socket.
final class SocketDoor: HostStackDoor {
    let place: String
    private let folder: RigFolder
    private let listener: Descriptor

    init() throws {
        folder = try RigFolder()
        place = "\(folder.path)/stack.sock"
        listener = try UnixSocket.listen(at: place)
    }

    func open(to controller: String, say: @escaping @Sendable (String) -> Void) {
        startThread(named: "stack-door") { [listener] in
            while let program = try? UnixSocket.accept(on: listener), join(program, controller) {}
        }
    }

    func close() {
        // Wakes the thread that accepts.
        listener.shutDown()
        folder.remove()
    }
}

/// A TCP port of 127.0.0.1, for programs of this user only.
final class PortDoor: HostStackDoor {
    let place: String
    private let port: LoopbackPort

    init() throws(SystemError) {
        port = try LoopbackPort()
        place = "\(port.number)"
    }

    func open(to controller: String, say: @escaping @Sendable (String) -> Void) {
        startThread(named: "stack-door") { [port] in
            var hasRefused = false
            while let program = try? port.accept() {
                guard port.isOwn(program) else {
                    // Others could fill the record otherwise.
                    if !hasRefused {
                        say(
                            "a program of another user connected to port \(port.number), and was refused: run it as this user"
                        )
                    }
                    hasRefused = true
                    continue
                }
                guard join(program, controller) else { return }
            }
        }
    }

    func close() { port.close() }
}

/// A pseudo terminal. It is held open, so that the program may close it and open it again.
final class TerminalDoor: HostStackDoor {
    var place: String { terminal.path }
    private let terminal: PseudoTerminal
    private let held: Descriptor

    init() throws(SystemError) {
        terminal = try PseudoTerminal()
        held = try terminal.openRaw()
    }

    func open(to controller: String, say: @escaping @Sendable (String) -> Void) throws(SystemError) {
        let socket = try UnixSocket.connect(to: controller)
        relay(from: terminal.controller, to: socket) { socket.shutDown() }
        relay(from: socket, to: terminal.controller) {}
    }

    /// The thread that reads ends as soon as nobody has the terminal open.
    func close() { held.close() }
}

/// Connects a program's socket with a controller's.
///
/// - Returns: Whether there is such a controller.
private func join(_ program: Descriptor, _ controller: String) -> Bool {
    guard let socket = try? UnixSocket.connect(to: controller) else {
        program.close()
        return false
    }
    relay(from: program, to: socket) { socket.shutDown() }
    relay(from: socket, to: program) { program.shutDown() }
    return true
}

/// Copies bytes in a separate thread, until either end is closed.
func relay(from source: Descriptor, to target: Descriptor, atEnd: @escaping @Sendable () -> Void) {
    startThread(named: "stack-relay") {
        while let bytes = try? source.read(), !bytes.isEmpty, (try? target.write(bytes)) != nil {}
        atEnd()
    }
}
