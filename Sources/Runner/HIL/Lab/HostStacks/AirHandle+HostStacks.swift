import Foundation
import HILPOSIX
import HILTiming
import RadioModel
import RigModel

extension AirHandle {
    /// Starts a program that has a Bluetooth host stack, and gives it a controller on the air.
    ///
    /// The program runs on the runner's machine. It is an accessory that needs no board, or another device near the
    /// accessory. It ends with the scenario at the latest, however the scenario ends.
    ///
    /// - Parameters:
    ///   - stack: The program: `.hostStack(command: ["python3", "keyboard.py", "{socket}"], speaking: .unixSocket())`.
    ///   - name: Its name in logs and timelines, in one word: `keyboard`.
    ///   - address: The public address of its controller; nil for the next free one.
    /// - Returns: A handle of the program, as soon as it runs. It may still need time until it is heard on the air.
    /// - Throws: ``HostStackError`` if it cannot be started; ``RadioModel/RadioError/rig(_:)`` if the air refuses the
    ///   address or has no more controllers; ``RigLacks`` if this rig has none at all.
    public func attach(
        _ stack: HostStack, named name: String = "stack", at address: DeviceAddress? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> HostStackHandle {
        try await attach(stack, named: name, at: address, SourceLocation(file: fileID, path: filePath, line: line))
    }

    /// The handle of a host stack that the scenario declares with ``ScenarioTrait/attaches(_:named:at:)``.
    ///
    /// - Throws: ``HostStackError`` if it could not be started, or is not declared; the other errors of
    ///   ``attach(_:named:at:fileID:filePath:line:)``.
    public func hostStack(
        _ name: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> HostStackHandle {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard let start = declared.withLock({ $0[name] }) else {
                throw HostStackError(
                    "asking for the host stack “\(name)”", "the scenario does not declare it",
                    remedy: "add the trait .attaches(…, named: \"\(name)\")")
            }
            return try await start.value
        }
    }

    /// Begins to start declared host stacks. A failure is recorded, even if the scenario never asks for the handle.
    func begin(_ stacks: [DeclaredHostStack], at location: SourceLocation) {
        for one in stacks {
            let start = Task {
                do { return try await attach(one.stack, named: one.name, at: one.address, location) } catch {
                    if !(error is RigLacks) { recorder.record(.failure(Failure(error, at: location))) }
                    throw error
                }
            }
            declared.withLock { $0[one.name] = start }
        }
    }

    private func attach(
        _ stack: HostStack, named name: String, at address: DeviceAddress?, _ location: SourceLocation
    ) async throws -> HostStackHandle {
        try await recorder.call(at: location) {
            let control = try rig.facet(rig.hostStacks, .hostStacks, recorder)
            // A mistake in the declaration is told before the air is asked.
            _ = try stack.placed(at: "")
            let port = try await control.attachStack(at: address)
            do {
                let placed = try stack.placed(at: port.socket)
                let output = HostStackOutput(of: name, on: port.adapter, recorder: recorder)
                let launch = HostStackLaunch(placed, named: name, socket: port.socket, keeper: keeper)
                let (process, input) = try await launch.start(output)
                let handle = HostStackHandle(
                    process, named: name, port: port, input: input, output: output, recorder: recorder,
                    location: location)
                stacks.withLock { $0[port.adapter] = handle }
                recorder.record(.onAir(port.address, "host stack \(port.adapter) (\(name))"))
                handle.watch { [self] in
                    // An error means that the air is lost, which is a failure already.
                    try? await control.detachStack(port.adapter)
                    stacks.withLock { if $0[port.adapter] === handle { $0[port.adapter] = nil } }
                }
                return handle
            } catch {
                try? await control.detachStack(port.adapter)
                throw error
            }
        }
    }

    /// Stops all host stacks, and records their failures.
    func stopStacks() async {
        for start in declared.withLock({ Array($0.values) }) { _ = await start.result }
        await withTaskGroup { group in
            for handle in stacks.withLock({ Array($0.values) }) { group.addTask { await handle.stop() } }
        }
    }

    /// Handles that the air has cut a host stack off.
    func cutOff(_ adapter: AdapterID, _ why: String) {
        if let handle = stacks.withLock({ $0[adapter] }) { return handle.wasCutOff(why) }
        recorder.record(.failure(Failure(.product, "host stack \(adapter) was cut off the air: \(why)")))
    }
}

/// Starts the program of a host stack and connects its streams.
struct HostStackLaunch {
    private let stack: HostStack
    private let action: String
    private let socket: String
    private let keeper: String

    /// - Parameters:
    ///   - stack: The program, with the path of its socket in place of the placeholder.
    ///   - socket: The path of its controller's socket.
    ///   - keeper: The program that ends it in every case.
    init(_ stack: HostStack, named name: String, socket: String, keeper: String) {
        self.stack = stack
        action = "starting \(name) (\(stack.command.joined(separator: " ")))"
        self.socket = socket
        self.keeper = keeper
    }

    /// - Returns: The program, and its standard input if that does not carry H4.
    /// - Throws: ``HostStackError`` if the program cannot be started; ``HILPOSIX/SystemError``, which is a failure of the
    ///   rig, if its streams cannot be made.
    func start(_ output: HostStackOutput) async throws -> (KeptProcess, input: Descriptor?) {
        let (input, printed, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
        let process = try await start(input: input.read, output: printed.write, errors: errors.write)
        for end in [input.read, printed.write, errors.write] { end.close() }
        output.read(errors.read, as: .errors)
        guard stack.transport == .standardStreams else {
            output.read(printed.read, as: .output)
            try input.write.setNonBlocking()
            return (process, input.write)
        }
        let controller = try UnixSocket.connect(to: socket)
        relay(from: controller, to: input.write) { input.write.close() }
        relay(from: printed.read, to: controller) {
            controller.shutDown()
            printed.read.close()
        }
        return (process, nil)
    }

    private func start(input: Descriptor, output: Descriptor, errors: Descriptor) async throws -> KeptProcess {
        let own = ProcessInfo.processInfo.environment.merging(stack.environment) { $1 }
        // Starting waits for the keeper, which must not hold up the main actor.
        let result: Result<KeptProcess, SystemError> = await withCheckedContinuation { continuation in
            startThread(named: "stack-start") { [stack, keeper] in
                do throws(SystemError) {
                    let process = try KeptProcess.start(
                        stack.command, environment: own.map { "\($0.key)=\($0.value)" }, in: stack.workingFolder ?? ".",
                        streams: (input, output, errors), keeper: keeper)
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

    /// Copies bytes in a thread of its own, until either end is closed.
    private func relay(from source: Descriptor, to target: Descriptor, atEnd: @escaping @Sendable () -> Void) {
        startThread(named: "stack-relay") {
            while let bytes = try? source.read(), !bytes.isEmpty, (try? target.write(bytes)) != nil {}
            atEnd()
        }
    }
}
