import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// The program `hil-rig`. It owns the processes of one rig, and they end with it.
///
/// The first line of its standard input is a ``RigConfiguration``, further lines are ``RigCall``s; it writes
/// ``RigStatus`` lines and answers to standard output. The rig ends when standard input ends, so it always ends with its runner.
package final class RigProcess: Sendable {
    let configuration: RigConfiguration
    let folder: RigFolder
    private let children = Mutex<[(RigLoss.Part, ChildProcess)]>([])
    private let losses = EventLog<RigLoss>()
    private let boards = Mutex<[QEMUBoard]>([])
    /// The boards, once their QEMUs run; empty before.
    var runningBoards: [QEMUBoard] { boards.withLock { $0 } }
    /// The boards of a rig with native boards.
    let nativeBoards = Mutex<[NativeBoard]>([])
    private let isEnding = Atomic(false)
    /// The records that show the runner that this process and the boards run.
    let ticker = Mutex<Ticker?>(nil)
    /// The write end of the air's standard input. The air ends when it is closed.
    private let airLifeline = Mutex<Descriptor?>(nil)

    /// Runs the program.
    package static func run() -> Never {
        signal(SIGPIPE, SIG_IGN)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
        // Before any thread is made, so that only the thread below receives these signals.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let input = LineInput(Descriptor(adopting: STDIN_FILENO))
        guard let line = input.next() else { exit(0) }
        tell(.hello(.own))
        do {
            let configuration = try configuration(line)
            let rig = try RigProcess(configuration)
            startThread(named: "signals") { [signals] in
                var signals = signals
                var number: Int32 = 0
                sigwait(&signals, &number)
                rig.end()
            }
            startThread(named: "lifeline") {
                while let line = input.next() {
                    switch Answerer<RigCall>.read(Data(line)) {
                    case .call(let call, let id): rig.handle(call, id)
                    case .unreadable(_, let answer): write(answer)
                    case .noise: break
                    }
                }
                rig.end()
            }
            Task { await rig.work() }
            while true { pause() }
        } catch {
            tell(.failed(.wrapping(error, while: "starting the rig")))
            exit(2)
        }
    }

    /// Reads the first line. Throws if the runner has other protocol versions.
    private static func configuration(_ line: [UInt8]) throws -> RigConfiguration {
        let greeting = try? JSONDecoder().decode(RigProtocol.Greeting.self, from: Data(line))
        if let error = RigProtocol.mismatch(rig: .own, runner: greeting?.versions) { throw error }
        do { return try JSONDecoder().decode(RigConfiguration.self, from: Data(line)) } catch {
            throw RigFailure("reading the rig's configuration", PlainText.unreadable(line, error))
        }
    }

    private init(_ configuration: RigConfiguration) throws {
        self.configuration = configuration
        folder = try RigFolder(base: configuration.base)
        folder.markOwnProcesses()
    }

    static func tell(_ status: RigStatus) {
        if let line = try? JSONEncoder().encode(status) { write(line) }
    }

    static func write(_ line: Data) { try? Descriptor.standardOutput.write(Array(line) + [0x0A]) }

    private func work() async {
        label()
        startTicking()
        RigProcess.tell(.started(folder: folder.path))
        do {
            try startAir()
            if let native = configuration.parts.native {
                try await bringUp(try startBoards(native))
                return ready()
            }
            let boards = try await startBoards()
            switch configuration.purpose {
            case .run:
                try await bringUp(boards)
                ready()
            case .reopen(let kept):
                try await restoreWhole(boards, from: kept)
                ready()
            case .takeSnapshot(let target, let program):
                try await bringUp(boards)
                try await takeSnapshot(of: boards, with: program, into: Snapshot(folder: target))
                RigProcess.tell(.snapshotTaken)
                end()
            }
        } catch let error as NotRestored {
            RigProcess.tell(.notRestored(await explain(error.error)))
            end()
        } catch {
            RigProcess.tell(.failed(await explain(error)))
            end()
        }
    }

    private func ready() {
        watchBoards()
        tellProcesses()
    }

    /// Tells the runner which processes there are: at the start, and after each switch of a board's power.
    func tellProcesses() { RigProcess.tell(.ready(processes)) }

    /// Starts the QEMUs of the boards, and waits until their sockets exist.
    private func startBoards() async throws -> [QEMUBoard] {
        if case .takeSnapshot(let target, _) = configuration.purpose, let snapshot = configuration.parts.snapshot {
            try await snapshot.copyMemory(to: Snapshot(folder: target))
        }
        let boards = try configuration.parts.boards.map { role in
            let logs = "\(configuration.evidence)/\(role.rawValue)"
            try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
            let command = QEMUCommand(
                role: role, parts: configuration.parts, sockets: "\(folder.path)/\(role.rawValue)",
                disk: try makeDisk(of: role), logs: logs, memory: memory(of: role))
            let board = try QEMUBoard(command, log: log(of: role == .host ? .host : .accessory))
            own(board.process, as: role == .host ? .host : .accessory)
            return board
        }
        for board in boards { try await board.open() }
        self.boards.withLock { $0 = boards }
        return boards
    }

    /// Makes a board's own disk, with the content that its memory knows.
    ///
    /// - Returns: Its path. The disk of a board for a new snapshot becomes part of that snapshot.
    private func makeDisk(of role: BoardRole) throws -> String {
        let own = "\(folder.path)/\(role.rawValue)/\(DiskFile.name)"
        let parts = configuration.parts
        let before = parts.snapshot?.disk(of: role) ?? parts.image(of: role).disk
        switch configuration.purpose {
        case .run: try DiskFile.copy(before, to: own)
        case .reopen(let kept): try DiskFile.copy(SavedBoards.disk(of: role, in: kept), to: own)
        case .takeSnapshot(let folder, _):
            let target = Snapshot(folder: folder).disk(of: role)
            try DiskFile.copy(before, to: target)
            return target
        }
        return own
    }

    private func memory(of role: BoardRole) -> QEMUCommand.Memory {
        switch configuration.purpose {
        case .takeSnapshot(let folder, _):
            configuration.parts.snapshot == nil
                ? .kept(file: Snapshot(folder: folder).memory(of: role))
                : .continued(file: Snapshot(folder: folder).memory(of: role))
        case .run: configuration.parts.snapshot.map { .copied(file: $0.memory(of: role)) } ?? .empty
        case .reopen: .received
        }
    }

    /// Starts the air, which then looks for the boards' ports. Reopened boards get no air.
    private func startAir() throws {
        var radios = configuration.parts.snapshot.map { ["--resume", $0.folder] } ?? []
        switch configuration.purpose {
        case .run: break
        case .takeSnapshot(let target, _): radios += ["--record", target]
        case .reopen: return
        }
        let pipe = try Descriptor.pipe()
        let output = try Descriptor.open(log(of: .air), O_WRONLY | O_CREAT | O_APPEND)
        let air = try ChildProcess.spawn(
            [
                configuration.airProgram, "--rig", folder.path, "--library", configuration.parts.rootCanal,
                "--log", log(of: .air), "--protocol", "\(AirProtocol.version)",
                "--boards", configuration.parts.boards.map(\.rawValue).joined(separator: ","),
            ] + radios, streams: [.descriptor(pipe.read), .descriptor(output), .descriptor(output)], ownGroup: true,
            atParentDeath: .kill)
        airLifeline.withLock { $0 = pipe.write }
        own(air, as: .air)
    }

    /// Starts or restores the boards, waits until their agents answer, and sets their clocks.
    private func bringUp(_ boards: [any VirtualBoard]) async throws {
        let timeLimit = Duration.seconds(configuration.timeLimit)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask { [self] in
                try await bringUp(boards, within: timeLimit)
                return true
            }
            // Without this, the end of a part would only appear as a time-out elsewhere.
            group.addTask { [self] in
                let lost = try? await losses.first(within: timeLimit * 2, waitingFor: "a loss").event
                guard let lost else { return false }
                let error = RigFailure("starting the rig", lost.description)
                if configuration.parts.snapshot != nil, lost.part != .air { throw NotRestored(error: error) }
                throw error
            }
            while let areUp = try await group.next(), !areUp {}
            group.cancelAll()
        }
    }

    private func bringUp(_ boards: [any VirtualBoard], within timeLimit: Duration) async throws {
        try await connectPorts(within: timeLimit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for board in boards {
                group.addTask { [self] in
                    do { try await bringUp(board, within: timeLimit) } catch {
                        guard configuration.parts.snapshot != nil else { throw error }
                        throw NotRestored(error: .wrapping(error, while: "restoring the \(board.role.rawValue) board"))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits until the air is connected to all radio ports. A restored board detaches radios whose ports are silent.
    private func connectPorts(within timeLimit: Duration) async throws {
        let air = try await AirClient.connect(to: airSocket, within: timeLimit)
        let missing = try await air.status().links.filter { !$0.isConnected }
        await air.close()
        guard missing.isEmpty else {
            let names = missing.map { "\($0.board.rawValue)/\($0.radio.rawValue)" }.joined(separator: ", ")
            throw RigFailure("starting the rig", "the air does not reach these ports: \(names)")
        }
    }

    /// Starts or restores one board, waits until its agent answers, and sets its clock.
    private func bringUp(_ board: any VirtualBoard, within timeLimit: Duration) async throws {
        if let snapshot = configuration.parts.snapshot, let board = board as? QEMUBoard {
            try await board.restore(from: snapshot.state(of: board.role))
            if case .run = configuration.purpose, configuration.parts.asleep.contains(board.role) { return }
            try await board.run()
        }
        let agent = try await agent(of: board.role, within: timeLimit)
        // The clock of a restored board still has the time of its snapshot.
        try await agent.ask { .system(.setClock(nanoseconds: wallClockNanoseconds(), $0)) }
        await agent.close()
    }
}

extension RigProcess {
    /// Waits until the agent of a board answers. An agent that ends would be started again and again: its first end is
    /// the error.
    private func agent(of role: BoardRole, within timeLimit: Duration) async throws -> BoardClient {
        let path = "\(folder.path)/\(role.rawValue)/agent.sock"
        let journal = AgentEnds(journal: "\(configuration.evidence)/\(role.rawValue)/journal.jsonl")
        return try await withThrowingTaskGroup(of: BoardClient?.self) { group in
            group.addTask { try await BoardClient.connect(to: path, role: role, within: timeLimit) }
            group.addTask {
                guard let end = try await journal.first() else { return nil }
                throw RigFailure("starting the \(role.rawValue) board", end)
            }
            defer { group.cancelAll() }
            while let agent = try await group.next() { if let agent { return agent } }
            throw CancellationError()
        }
    }

    /// The file for the output of a part.
    func log(of part: RigLoss.Part) -> String {
        let board = configuration.parts.native == nil ? "qemu.log" : "linux.log"
        return switch part {
        case .host, .accessory: "\(configuration.evidence)/\(part.rawValue)/\(board)"
        case .air, .rig: "\(configuration.evidence)/\(part.rawValue).log"
        }
    }

    private var processes: RigProcesses {
        children.withLock { children in
            let native = nativeBoards.withLock { $0 }
            func pid(_ role: BoardRole) -> Int32 {
                if let board = native.first(where: { $0.role == role }) { return board.process?.pid ?? 0 }
                return children.first { $0.0 == RigLoss.Part(role) }?.1.pid ?? 0
            }
            let air = children.first { $0.0 == .air }?.1.pid ?? 0
            return RigProcesses(host: pid(.host), accessory: pid(.accessory), air: air)
        }
    }

    /// Adds a child process, and reports when it ends.
    private func own(_ child: ChildProcess, as part: RigLoss.Part) {
        children.withLock { $0.append((part, child)) }
        Task { [self] in
            let status = await child.wait()
            if case .takeSnapshot = configuration.purpose, status.isSuccess { return }
            lose(part, "\(status)")
        }
    }

    /// Reports that a part has ended.
    func lose(_ part: RigLoss.Part, _ how: String) {
        let loss = RigLoss(part: part, how: "\(how)\(lastWords(of: part))")
        losses.append(loss)
        RigProcess.tell(.lost(loss))
    }

    /// The last lines of a part's log, to append to a sentence.
    private func lastWords(of part: RigLoss.Part) -> String {
        let text = (try? String(contentsOfFile: log(of: part), encoding: .utf8)) ?? ""
        let tail = lastLines(of: String(text.suffix(4096)), 2)
        return tail.isEmpty ? "" : ": \(tail)"
    }

    /// The failure to report for an error during the start. If a part ended, that is the cause.
    private func explain(_ error: any Error) async -> RigFailure {
        let loss = try? await losses.first(within: .milliseconds(300), waitingFor: "a loss").event
        if let loss { return RigFailure("starting the rig", loss.description) }
        let kernel = (try? String(contentsOfFile: "\(configuration.evidence)/host/kernel.log", encoding: .utf8)) ?? ""
        let tail = lastLines(of: String(kernel.suffix(4096)), 1)
        let remedy = "the boards' logs are in \(configuration.evidence)"
        return .wrapping(
            error, while: "starting the rig", remedy: remedy + (tail.isEmpty ? "" : "; the host's ends: \(tail)"))
    }

    /// Ends all processes of the rig, then this one. Only the first call counts.
    private func end() {
        guard isEnding.exchange(true, ordering: .relaxed) == false else { return }
        let all = children.withLock { $0 }
        for (_, child) in all { child.signal(SIGKILL) }
        Task { [folder, native = nativeBoards.withLock { $0 }] in
            await withTaskGroup(of: Void.self) { group in
                for board in native { group.addTask { try? await board.switchOff() } }
            }
            for (_, child) in all { _ = await child.wait() }
            folder.remove()
            exit(0)
        }
    }
}

extension Descriptor {
    fileprivate static let standardOutput = Descriptor(adopting: STDOUT_FILENO)
}
