import Foundation
import HILPOSIX
import HILTiming
import RigModel

/// Starts the program of a host stack.
struct HostStackLaunch {
    private let stack: HostStack
    private let action: String
    private let guardProgram: String

    /// - Parameters:
    ///   - stack: The program, as it is declared.
    ///   - guardProgram: The program that ends it in every case.
    init(_ stack: HostStack, named name: String, guardProgram: String) {
        self.stack = stack
        action = "starting \(name) (\(stack.command.joined(separator: " ")))"
        self.guardProgram = guardProgram
    }

    /// Starts it for an existing controller.
    ///
    /// - Throws: ``HostStackError`` if the program cannot be started; ``HILPOSIX/SystemError``, which is a failure of the
    ///   rig, if its streams cannot be made.
    func start(at socket: String) async throws -> StartedHostStack {
        if case .unixSocket = stack.transport { return try await start(at: socket, door: nil) }
        return try await startAhead()
    }

    /// Starts it before there is a controller. A program that opens a socket, a port or a terminal finds one, and waits
    /// there.
    func startAhead() async throws -> StartedHostStack {
        let door: (any HostStackDoor)? =
            switch stack.transport {
            case .standardStreams: nil
            case .unixSocket: try SocketDoor()
            case .tcp: try PortDoor()
            case .pty: try TerminalDoor()
            }
        do { return try await start(at: door?.place ?? "", door: door) } catch {
            door?.close()
            throw error
        }
    }

    private func start(at place: String, door: (any HostStackDoor)?) async throws -> StartedHostStack {
        let placed = try stack.placed(at: place)
        let (input, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
        let printed = try printed()
        let process = try await start(placed, input: input.read, output: printed.write, errors: errors.write)
        for end in [input.read, printed.write, errors.write] { end.close() }
        return StartedHostStack(
            process, speaking: stack.transport, input: input.write, printed: printed.read, errors: errors.read,
            door: door)
    }

    /// The two ends of the program's standard output.
    private func printed() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
        guard stack.transport != .standardStreams else { return try Descriptor.pipe() }
        // A program in C holds its lines back for 4096 bytes, unless it writes to a terminal.
        let terminal = try PseudoTerminal()
        return (terminal.controller, try terminal.openRaw())
    }

    private func start(
        _ placed: HostStack, input: Descriptor, output: Descriptor, errors: Descriptor
    ) async throws -> GuardedProcess {
        // Its output is a terminal for the sake of its lines, not of their colours.
        let plain = stack.transport == .standardStreams ? [:] : ["TERM": "dumb"]
        let variables = ProcessInfo.processInfo.environment.merging(plain) { $1 }.merging(placed.environment) { $1 }
        // Starting waits for the guard, which must not hold up the main actor.
        let result: Result<GuardedProcess, SystemError> = await withCheckedContinuation { continuation in
            startThread(named: "stack-start") { [guardProgram] in
                do throws(SystemError) {
                    let process = try GuardedProcess.start(
                        placed.command, environment: variables.map { "\($0.key)=\($0.value)" },
                        in: placed.workingFolder ?? ".", streams: (input, output, errors), guardProgram: guardProgram)
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
    let process: GuardedProcess
    private let transport: HostStack.Transport
    private let input: Descriptor
    private let printed: Descriptor
    private let errors: Descriptor
    /// Where it waits for its controller; nil if it speaks on its standard streams, or was given the controller's socket.
    private let door: (any HostStackDoor)?

    init(
        _ process: GuardedProcess, speaking transport: HostStack.Transport, input: Descriptor, printed: Descriptor,
        errors: Descriptor, door: HostStackDoor?
    ) {
        self.process = process
        self.transport = transport
        self.input = input
        self.printed = printed
        self.errors = errors
        self.door = door
    }

    /// The socket, port or terminal at which it waits for its controller; nil if it does not.
    var place: String? { door?.place }

    /// Connects it with its controller, and begins to read its lines.
    ///
    /// - Returns: Its standard input if that does not carry H4; else nil.
    func join(_ controller: HostStackPort, _ output: HostStackOutput) throws(SystemError) -> Descriptor? {
        output.read(errors, as: .errors)
        guard transport == .standardStreams else {
            output.read(printed, as: .output)
            try input.setNonBlocking()
            try door?.open(to: controller.socket) { [output] in output.note($0) }
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
