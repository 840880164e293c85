import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// A native board: Linux as a process of this machine, and the program that serves its ports.
///
/// The ports and the disk stay while the board has no power.
final class NativeBoard: VirtualBoard {
    /// Called with the unexpected end of a board's process.
    typealias Loss = @Sendable (_ how: String) -> Void

    private enum Power {
        case off
        case on(Running)
    }

    /// A board's processes.
    private struct Running: Sendable {
        let process: ChildProcess
        /// Its end is the end of them all.
        let lifeline: Descriptor

        func kill() { lifeline.close() }
    }

    /// A change of the kernel's connection to its ports.
    private enum Link: Sendable {
        case up
        /// With the kernel's fault, if there was one.
        case down(DeviceError?)

        var isUp: Bool { if case .up = self { true } else { false } }
    }

    let role: BoardRole
    private let command: NativeCommand
    private let console: String
    private let log: String
    private let power = Mutex(Power.off)
    private let links = EventLog<Link>(keepingAtMost: 16)
    private let server: SerialServer
    private let onLoss: Loss
    /// Holds the board's core.
    private let slot: CoreSlot?

    /// Makes the ports and the disk. The board has no power yet.
    ///
    /// - Parameters:
    ///   - ports: The folder for the ports' sockets, in which the folder of `command` is.
    ///   - logs: The folder for the kernel's console and the journal.
    ///   - log: The file for the output of Linux as a process of this machine.
    init(_ command: NativeCommand, slot: CoreSlot?, ports: String, logs: String, log: String, onLoss: @escaping Loss)
        throws
    {
        role = command.role
        self.command = command
        self.slot = slot
        self.log = log
        self.onLoss = onLoss
        console = "\(logs)/kernel.log"
        try valueOrErrno("mkdir", "making \(command.folder)") { mkdir(command.folder, 0o700) }
        try DiskFile.copy(command.image.disk, to: "\(command.folder)/\(DiskFile.name)")
        server = try SerialServer(
            kernelSocket: "\(command.folder)/\(NativeCommand.socket)", ports: NativeBoard.plan(ports, logs: logs)
        ) { [links] change in
            switch change {
            case .began: links.append(.up)
            case .ended(let error): links.append(.down(error))
            }
        }
    }

    /// The ports as the agent expects them (`/dev/vport0pN`).
    static func plan(_ folder: String, logs: String) -> [PortPlan] {
        [("agent", 1), ("bluetooth", 2), ("wifi", 3), ("shell", 5)].map { name, number in
            PortPlan(number: number, name: name, path: "\(folder)/\(name).sock")
        } + [PortPlan(number: 4, name: "journal", path: "\(logs)/journal.jsonl", isFile: true)]
    }

    func open() async throws {}

    /// The board's process; nil without power.
    var process: ChildProcess? {
        power.withLock { if case .on(let running) = $0 { running.process } else { nil } }
    }

    /// Switches the power on: the board boots.
    func switchOn() throws {
        guard process == nil else { return }
        let start = links.count
        let console = try Descriptor.open(console, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        let output = try Descriptor.open(log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o644)
        let lifeline = try Descriptor.pipe()
        let process = try command.spawn(input: lifeline.read, output: console, errors: output)
        lifeline.read.close()
        let running = Running(process: process, lifeline: lifeline.write)
        power.withLock { $0 = .on(running) }
        Task { [self] in
            let status = await process.wait()
            lifeline.write.close()
            guard self.process === process else { return }
            power.withLock { $0 = .off }
            onLoss("\(status)" + (wrong(since: start).map { ": \($0)" } ?? ""))
        }
        Task { [self] in
            let (_, _) = try await links.first(from: start, within: .seconds(1_000_000), waitingFor: "its end") {
                !$0.isUp
            }
            // The kernel closed the connection. If its process still runs, it has restarted or does something else.
            if wrong(since: start) == nil { try await Task.sleep(for: .seconds(1)) }
            if self.process === process { running.kill() }
        }
    }

    /// The kernel's fault since a place in ``links``.
    private func wrong(since start: Int) -> DeviceError? {
        links.events.suffix(max(0, links.count - start)).lazy.compactMap { link in
            if case .down(let error) = link { error } else { nil }
        }.first
    }

    /// Switches the power off. Returns when all processes of the board have ended.
    func switchOff() async throws {
        let running = power.withLock { power -> Running? in
            defer { power = .off }
            return if case .on(let running) = power { running } else { nil }
        }
        guard let running else { return }
        let place = links.count
        let isUp = links.events.last?.isUp == true
        running.kill()
        _ = await running.process.wait()
        if isUp {
            _ = try await links.first(from: place, within: .seconds(10), waitingFor: "the board's processes to end") {
                !$0.isUp
            }
        }
    }
}
