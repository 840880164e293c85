import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import RadioModel

/// Runs the program of an accessory's maker on an accessory board. There is one at a time on each Bluetooth adapter.
actor ProgramHost {
    /// The name of its lines in the journal.
    static let logName = "program"
    /// How long the program may leave its standard input unread.
    private static let inputLimit = Duration.seconds(10)

    nonisolated let payloads: PayloadStore
    private let adapter: AdapterID
    /// The entrance to the compartment of its adapter; nil for the board itself.
    private var entrance: CompartmentEntrance?
    private let folder: String
    /// The folder of the program's files. It is on the board's disk, so that they survive a power cut.
    private let files: String
    private nonisolated let fenceName: String
    private let journal: Journal
    private let emit: @Sendable (BoardEvent) -> Void
    private var process: ProgramProcess?
    /// The program that was started for a later client; nil if there is none, or a client has taken it over.
    private var ahead: (request: ProgramRequest, run: Int, events: WithheldEvents)?
    private var runs = 0
    private var workingFolder = "/"

    /// - Parameters:
    ///   - folder: The agent's folder for files that a restart loses.
    ///   - filesFolder: The folder for the program's files; nil for `folder`.
    ///   - fenceName: The name of its control group. No other host of this machine has the same.
    ///   - payloads: The files that runners have sent; nil for a separate store.
    ///   - emit: Called from any thread.
    init(
        of adapter: AdapterID = .first, through entrance: CompartmentEntrance? = nil, folder: String,
        filesFolder: String? = nil, fenceName: String = "hil-program", payloads: PayloadStore? = nil, journal: Journal,
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        self.adapter = adapter
        self.entrance = entrance
        self.folder = folder
        files = "\(filesFolder ?? folder)/program"
        self.fenceName = fenceName
        self.journal = journal
        self.emit = emit
        self.payloads = payloads ?? PayloadStore(folder: "\(folder)/payloads")
    }

    /// Kills the remaining processes of a killed agent's program.
    nonisolated func killLeftOver() async { await ProcessFence.endLeftOver(named: fenceName) }

    /// Does the preparations that the first program would wait for.
    func prepare() async { await makeFence()?.killAll() }

    private func makeFence() async -> ProcessFence? {
        await ProcessFence.make(named: fenceName, mountPoint: "\(folder)/cgroup")
    }

    /// Makes programs that start from now on run inside an entrance.
    func lead(through entrance: CompartmentEntrance) { self.entrance = entrance }

    /// Whether a program runs.
    var isRunning: Bool { process?.isRunning == true }

    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if a program is running.
    func requireIdle() throws(RadioError) {
        if isRunning { throw .invalid("a program is already running on the board: stop it first") }
    }

    /// Starts a program.
    ///
    /// - Parameter isAhead: Whether its events are kept until a client takes it over.
    /// - Returns: The number of the run.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a mistake in the request.
    func start(_ request: ProgramRequest, isAhead: Bool = false) async throws -> Int {
        try requireIdle()
        // The last run's processes must be gone before its files are removed.
        if let process { _ = await process.stop(grace: .zero) }
        if let payload = request.payload, !(request.keepsFiles && payloads.hasUnpacked(payload, at: files)) {
            do { try payloads.unpack(payload, to: files) } catch let error as PayloadError {
                throw RadioError.invalid("\(error)")
            }
        }
        let command = try ProgramCommand(request, files: request.payload == nil ? nil : files)
        let fence = await makeFence()
        if fence == nil {
            journal.write("no control groups: daemons that the program starts may outlive it", from: "agent")
        }
        runs += 1
        let run = runs
        workingFolder = command.folder
        let events = WithheldEvents { [journal, emit] event in
            ProgramHost.write(event, into: journal)
            emit(event)
        }
        if !isAhead { events.release() }
        process = try ProgramProcess(command, in: fence, through: entrance) { [adapter] lines in
            events.tell(.programPrinted(lines, run: run, on: adapter))
        } ended: { [adapter] exit, wasAsked in
            events.tell(.programEnded(exit, wasAsked: wasAsked, run: run, on: adapter))
        }
        if isAhead { ahead = (request, run, events) }
        return run
    }

    private static func write(_ event: BoardEvent, into journal: Journal) {
        switch event {
        case .programPrinted(let lines, _, let adapter):
            let source = adapter == .first ? logName : "\(logName)-\(adapter)"
            for line in lines { journal.write(line.text, from: source) }
        case .programEnded(let exit, _, _, _): journal.write("the program \(exit)", from: "agent")
        default: break
        }
    }

    // MARK: Programs that are started ahead

    /// Whether a program was started for a later client.
    var hasAhead: Bool { ahead != nil }

    /// Gives the program that was started ahead to the client, with all its events so far.
    ///
    /// - Returns: The number of its run; nil if no program has an equal request.
    func takeOver(_ request: ProgramRequest) -> Int? {
        guard let ahead, ahead.request == request else { return nil }
        self.ahead = nil
        ahead.events.release()
        return ahead.run
    }

    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if the program that was started ahead has ended, or there is
    ///   none.
    func requireAhead() throws(RadioError) {
        guard ahead != nil, isRunning else { throw .invalid("the program that was started ahead has ended") }
    }

    /// Waits until the program that was started ahead prints a line with this text, or ends.
    func waitForLine(containing text: String) async throws {
        guard let events = ahead?.events else { return }
        try await events.wait { event in
            switch event {
            case .programPrinted(let lines, _, _): lines.contains { $0.source != .board && $0.text.contains(text) }
            case .programEnded: true
            default: false
            }
        }
    }

    /// Writes to the program's standard input.
    func send(_ bytes: Data) async throws {
        guard let process, process.isRunning else { throw RadioError.invalid("no program is running on the board") }
        try await process.write(Array(bytes), within: ProgramHost.inputLimit)
    }

    /// Ends the program and all its descendants.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if none was started.
    func stop(grace: Duration) async throws(RadioError) -> ProgramExit {
        guard let process else { throw .invalid("no program was started on the board") }
        return await process.stop(grace: grace)
    }

    /// Ends the program, if one runs.
    func end(grace: Duration = .zero) async {
        _ = await process?.stop(grace: grace)
        process = nil
        ahead = nil
    }

    /// The content of a regular file.
    ///
    /// - Parameter path: Absolute, or relative to the program's working folder.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if it is not there, not a regular file, or too large.
    func fetch(_ path: String) throws(RadioError) -> Data {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalid("a path to fetch is empty or invalid") }
        let absolute = (entrance?.root ?? "") + (path.hasPrefix("/") ? path : "\(workingFolder)/\(path)")
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe would wait for its writer.
            let file = try Descriptor.open(absolute, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            var status = stat()
            guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw SystemError(code: EINVAL, action: "“\(path)” is not a regular file on the board")
            }
            var bytes: [UInt8] = []
            while bytes.count <= BoardProtocol.longestFile {
                let more = try file.read(upTo: 1 << 18)
                if more.isEmpty { return Data(bytes) }
                bytes += more
            }
        } catch {
            if error.code == EINVAL { throw .invalid(error.action) }
            throw .invalid("“\(path)” cannot be fetched from the board: \(String(cString: strerror(error.code)))")
        }
        throw .invalid("“\(path)” is larger than the \(BoardProtocol.longestFile >> 20) MiB that can be fetched")
    }

    /// Runs a command that ends on its own, in the program's working folder.
    func run(_ command: [String], within limit: Duration) async throws -> CommandOutcome {
        let request = ProgramRequest(command: command, folder: workingFolder)
        let checked = try ProgramCommand(request, files: nil)
        let arguments = entrance?.command(checked.arguments, in: checked.folder) ?? checked.arguments
        return try await CommandRun.run(
            arguments, environment: checked.environment, in: entrance?.process == nil ? checked.folder : "/",
            within: limit)
    }

    /// Waits until a process accepts TCP connections at this port of the board.
    static func waitForListener(on port: UInt16, clock: any Clock<Duration> = ContinuousClock()) async throws {
        // The kernel has no event for this.
        while !isListening(on: port) { try await clock.sleep(for: .milliseconds(50)) }
    }

    private static func isListening(on port: UInt16) -> Bool {
        ["/proc/net/tcp", "/proc/net/tcp6"].contains { path in
            guard let file = try? Descriptor.open(path, O_RDONLY) else { return false }
            var bytes: [UInt8] = []
            while let more = try? file.read(), !more.isEmpty { bytes += more }
            return hasListener(on: port, in: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Whether a table of the kernel (`/proc/net/tcp`, proc_net_tcp.rst) has a listener on this port: state 0A.
    static func hasListener(on port: UInt16, in table: String) -> Bool {
        table.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 3, fields[3] == "0A" else { return false }
            return fields[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) } == port
        }
    }
}
