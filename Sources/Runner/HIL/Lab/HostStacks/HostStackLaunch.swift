import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Starts the program of a host stack.
struct HostStackLaunch {
    private let stack: HostStack
    private let action: String
    private let keeper: String

    /// - Parameters:
    ///   - stack: The program, as it is declared.
    ///   - keeper: The program that ends it in every case.
    init(_ stack: HostStack, named name: String, keeper: String) {
        self.stack = stack
        action = "starting \(name) (\(stack.command.joined(separator: " ")))"
        self.keeper = keeper
    }

    /// Starts it for an existing controller.
    ///
    /// - Throws: ``HostStackError`` if the program cannot be started; ``HILPOSIX/SystemError``, which is a failure of the
    ///   rig, if its streams cannot be made.
    func start(at socket: String) async throws -> StartedHostStack { try await start(at: socket, door: nil) }

    /// Starts it before there is a controller. A program that connects to a socket finds one, and waits there.
    func startAhead() async throws -> StartedHostStack {
        guard stack.transport != .standardStreams else { return try await start(at: "", door: nil) }
        let door = try HostStackDoor()
        do { return try await start(at: door.path, door: door) } catch {
            door.close()
            throw error
        }
    }

    private func start(at socket: String, door: HostStackDoor?) async throws -> StartedHostStack {
        let placed = try stack.placed(at: socket)
        let (input, printed, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        let process = try await start(placed, input: input.read, output: printed.write, errors: errors.write)
        for end in [input.read, printed.write, errors.write] { end.close() }
        return StartedHostStack(
            process, speaking: stack.transport, input: input.write, printed: printed.read, errors: errors.read,
            door: door)
    }

    private func start(
        _ placed: HostStack, input: Descriptor, output: Descriptor, errors: Descriptor
    ) async throws -> KeptProcess {
        let own = ProcessInfo.processInfo.environment.merging(placed.environment) { $1 }
        // Starting waits for the keeper, which must not hold up the main actor.
        let result: Result<KeptProcess, SystemError> = await withCheckedContinuation { continuation in
            startThread(named: "stack-start") { [keeper] in
                do throws(SystemError) {
                    let process = try KeptProcess.start(
                        placed.command, environment: own.map { "\($0.key)=\($0.value)" },
                        in: placed.workingFolder ?? ".", streams: (input, output, errors), keeper: keeper)
                    continuation.resume(returning: .success(process))
                } catch { continuation.resume(returning: .failure(error)) }
            }
        }
        do { return try result.get() } catch {
            let isFolder = error.action.hasPrefix("entering")
            throw HostStackError(
                action, isFolder ? error.description : String(cString: strerror(error.code)),
                remedy: isFolder
                    ? "make the folder, or name another workingFolder"
                    : "install the program, or give its path in the command")
        }
    }
}

/// The running program of a host stack, with or without its controller.
struct StartedHostStack: Sendable {
    let process: KeptProcess
    private let transport: HostStack.Transport
    private let input: Descriptor
    private let printed: Descriptor
    private let errors: Descriptor
    /// Where it waits for its controller; nil if it speaks on its standard streams, or was given the controller's socket.
    private let door: HostStackDoor?

    init(
        _ process: KeptProcess, speaking transport: HostStack.Transport, input: Descriptor, printed: Descriptor,
        errors: Descriptor, door: HostStackDoor?
    ) {
        self.process = process
        self.transport = transport
        self.input = input
        self.printed = printed
        self.errors = errors
        self.door = door
    }

    /// The socket at which it waits for its controller; nil if it does not.
    var path: String? { door?.path }

    /// Connects it with its controller, and begins to read its lines.
    ///
    /// - Returns: Its standard input if that does not carry H4; else nil.
    func join(_ controller: HostStackPort, _ output: HostStackOutput) throws(SystemError) -> Descriptor? {
        output.read(errors, as: .errors)
        guard transport == .standardStreams else {
            output.read(printed, as: .output)
            try input.setNonBlocking()
            door?.open(to: controller.socket)
            return input
        }
        let socket = try UnixSocket.connect(to: controller.socket)
        relay(from: socket, to: input) { [input] in input.close() }
        relay(from: printed, to: socket) { [printed] in
            socket.shutDown()
            printed.close()
        }
        return nil
    }

    /// Frees what it used, after it has ended.
    func release() { door?.close() }

    /// Kills it, and frees what it used.
    func end() {
        process.stop(within: .zero)
        release()
    }
}

/// A socket at which the program of a host stack waits for its controller.
final class HostStackDoor: Sendable {
    let path: String
    private let folder: RigFolder
    private let listener: Descriptor

    init() throws {
        folder = try RigFolder()
        path = "\(folder.path)/stack.sock"
        listener = try UnixSocket.listen(at: path)
    }

    /// Connects every client, waiting or new, with a controller's socket. The controller says what is wrong with a
    /// second one.
    func open(to controller: String) {
        startThread(named: "stack-door") { [listener] in
            while let program = try? UnixSocket.accept(on: listener) {
                guard let socket = try? UnixSocket.connect(to: controller) else { return program.close() }
                relay(from: program, to: socket) { socket.shutDown() }
                relay(from: socket, to: program) { program.shutDown() }
            }
        }
    }

    func close() {
        // Wakes the thread that accepts.
        listener.shutDown()
        folder.remove()
    }
}

/// Copies bytes in a separate thread, until either end is closed.
private func relay(from source: Descriptor, to target: Descriptor, atEnd: @escaping @Sendable () -> Void) {
    startThread(named: "stack-relay") {
        while let bytes = try? source.read(), !bytes.isEmpty, (try? target.write(bytes)) != nil {}
        atEnd()
    }
}
