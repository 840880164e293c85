import Foundation
import HILPOSIX
import HILRecord
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
    /// - Throws: ``HostStackError`` if it cannot be started; `RadioError.rig` if the air refuses the
    ///   address or has no more controllers; `RigLacks` if this rig has none at all.
    public func attach(
        _ stack: HostStack, named name: String = "stack", at address: DeviceAddress? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws -> HostStackHandle {
        recorder.noteCommand("put \(name) on the air") {
            _ = try await $0.air.attach(stack, named: name, at: address)
        }
        return try await attach(
            stack, named: name, at: address, SourceLocation(file: fileID, path: filePath, line: line))
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

    /// The host stack with this name that came on the air last, or that the scenario declares.
    func stack(named name: String) async throws -> HostStackHandle {
        let running = stacks.withLock { stacks in
            stacks.values.filter { $0.name == name }.max { $0.adapter.rawValue < $1.adapter.rawValue }
        }
        if let running { return running }
        return try await hostStack(name)
    }

    /// Begins to put host stacks on the air whose programs are being started. A failure is recorded, even if the scenario
    /// never asks for the handle.
    func take(_ stacks: HostStacksAhead) {
        for (one, program) in stacks.programs {
            let start = Task {
                do {
                    return try await attach(named: one.name, at: one.address, stacks.location) { _ in
                        try await program.value
                    }
                } catch {
                    if !(error is RigLacks) { recorder.record(.failure(Failure(error, at: stacks.location))) }
                    // It never came on the air, so no handle ends it.
                    if let program = try? await program.value { program.end() }
                    throw error
                }
            }
            declared.withLock { $0[one.name] = start }
        }
    }

    private func attach(
        _ stack: HostStack, named name: String, at address: DeviceAddress?, _ location: SourceLocation
    ) async throws -> HostStackHandle {
        // A mistake in the declaration is reported before the air is asked.
        if rig.hostStacks != nil { _ = try stack.placed(at: "") }
        let launch = HostStackLaunch(stack, named: name, guardProgram: guardProgram)
        return try await attach(named: name, at: address, location) { try await launch.start(at: $0.socket) }
    }

    /// Asks the air for a controller, and gives it to a program.
    private func attach(
        named name: String, at address: DeviceAddress?, _ location: SourceLocation,
        _ start: (HostStackPort) async throws -> StartedHostStack
    ) async throws -> HostStackHandle {
        try await recorder.call(at: location) {
            let control = try rig.facet(rig.hostStacks, .hostStacks, recorder)
            let port = try await control.attachStack(at: address)
            do {
                let program = try await start(port)
                let output = HostStackOutput(of: name, on: port.adapter, recorder: recorder)
                let handle = HostStackHandle(
                    program.process, named: name, port: port, input: try program.join(port, output), output: output,
                    recorder: recorder, location: location)
                stacks.withLock { $0[port.adapter] = handle }
                recorder.record(.onAir(port.address, "host stack \(port.adapter) (\(name))"))
                handle.watch { [self] in
                    // An error means that the air is lost, which is a failure already.
                    try? await control.detachStack(port.adapter)
                    program.release()
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
