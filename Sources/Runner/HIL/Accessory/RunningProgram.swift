import BoardProtocol
import Foundation
import HILPOSIX
import HILRecord
import HILTiming
import RadioModel
import RigModel
import Synchronization

/// A program on the accessory board, from ``AccessoryBoard/run(_:adapter:fileID:filePath:line:)``.
///
/// An end that the scenario did not ask for is a failure. At the end of the scenario the program is ended, with every
/// process that it has started.
public final class RunningProgram: HookedAccessory {
    private struct State {
        /// The place of the latest ``ProgramEvent/started`` in the log, and the moment before it.
        var start = 0
        var mark = EventLog<ProgramEvent>.Mark.start
        var isRunning = false
        var exit: ProgramExit?
        /// How it ended without being asked, and in which attempt of a trial.
        var crash: String?
        /// Where it crashed, as the board's report has it, and the attempt of a trial in which its signal came.
        var crashPlace: String?
        var crashAttempt: Int?
    }

    /// How many events are kept.
    private static let keptEvents = 50_000
    /// How many lines an error shows.
    private static let shownLines = 10
    /// How long the board may take to unpack the files and start the program.
    private static let startLimit = Duration.seconds(60)
    /// How long it may take to note an end that the board has reported.
    private static let noteLimit = Duration.seconds(60)

    /// The declaration.
    public let program: AccessoryProgram
    /// What happened to it, on the scenario's clock.
    public let events = EventLog<ProgramEvent>(keepingAtMost: RunningProgram.keptEvents)
    public let hooks: HookRunner
    /// Its Bluetooth adapter. Fault injection uses it to name the accessory.
    public let adapter: AdapterID
    /// The line of the scenario that started it.
    let location: SourceLocation
    private let payload: EncodedPayload?
    private let board: BoardClient
    let recorder: ScenarioRecorder
    private let state = Mutex(State())

    init(
        _ program: AccessoryProgram, _ payload: EncodedPayload?, on board: BoardClient, adapter: AdapterID,
        hooks: HookRunner, at location: SourceLocation, recorder: ScenarioRecorder
    ) {
        self.program = program
        self.payload = payload
        self.board = board
        self.adapter = adapter
        self.hooks = hooks
        self.location = location
        self.recorder = recorder
    }

    /// The lines that it printed so far, oldest first.
    public var lines: [ProgramLine] { events.all(.printed) }

    /// Whether it runs: from its start to its end.
    public var isRunning: Bool { state.withLock { $0.isRunning } }

    /// How its latest run ended; nil while it runs.
    public var exit: ProgramExit? { state.withLock { $0.exit } }

    /// How a run of it ended without being asked, if that was a failure: `the program “lamp” exited with 1`.
    var crash: String? { state.withLock { $0.crash } }

    // MARK: Start and stop

    /// Starts it, and waits until it is ready.
    ///
    /// - Parameter keepsFiles: Whether its folder stays as the last run left it.
    func start(keepsFiles: Bool) async throws {
        let (place, mark) = (events.count, events.mark)
        state.withLock { $0 = State(start: place, mark: mark, isRunning: true, crash: $0.crash) }
        note("starts", kind: "started")
        events.append(.started)
        do {
            if let payload { try await send(payload) }
            let request = program.request(with: payload?.id, keepsFiles: keepsFiles)
            try await board.ask(within: RunningProgram.startLimit) { .program(.start(request, on: adapter, $0)) }
        } catch {
            state.withLock { $0.isRunning = false }
            throw error
        }
        try await waitUntilReady()
    }

    private func send(_ payload: EncodedPayload) async throws {
        let missing = try await board.ask { .program(.offerPayload(payload.id, $0)) }
        if missing > 0 { await board.send(payload: payload.bytes) }
    }

    private func waitUntilReady() async throws {
        let (readiness, limit) = (program.readiness, program.readyLimit)
        do {
            switch readiness {
            case .started: return
            case .line(let text):
                _ = try await next(.printed(text), since: nil, within: limit)
                recorder.noteLine(text)
            case .advertisement, .network, .socket:
                let isReady = try await unlessItEnds { [board, adapter] in
                    let milliseconds = Int(limit.seconds * 1000)
                    return try await board.ask(within: limit + .seconds(10)) {
                        .program(.awaitReadiness(readiness, milliseconds: milliseconds, on: adapter, $0))
                    }
                }
                if !isReady { throw notReady }
            }
        } catch is TimedOut { throw notReady }
    }

    private var notReady: ProgramNotReady {
        ProgramNotReady(
            description: "the program “\(name)” was not seen \(program.readiness) within \(program.readyLimit.short); "
                + lastLines)
    }

    /// Ends it and all processes that it has started: asks by SIGTERM, and kills what is left after `grace`.
    ///
    /// - Returns: How the program ended. It may have ended before, without this call.
    /// - Throws: `RadioError.rig` if the board is lost or does not answer.
    @discardableResult
    public func stop(
        grace: Duration = .seconds(5), fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> ProgramExit {
        recorder.noteCommand("stop the program “\(name)”") { [adapter] in
            try await $0.accessory.program(on: adapter).stop(grace: grace)
        }
        return try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await endAndNote(grace: grace)
        }
    }

    /// Ends it, and returns when the end is in its events, so that the next run does not take it for its own.
    private func endAndNote(grace: Duration) async throws -> ProgramExit {
        let start = state.withLock { $0.start }
        let exit = try await end(grace: grace)
        _ = try? await withDeadline(RunningProgram.noteLimit, waitingFor: "its end") {
            try await self.end(since: start)
        }
        return exit
    }

    func end(grace: Duration) async throws -> ProgramExit {
        let limit = grace + .seconds(30)
        return try await board.ask(within: limit) {
            .program(.stop(graceMilliseconds: Int(grace.seconds * 1000), on: adapter, $0))
        }
    }

    /// Ends it if it runs, and starts it again; its files stay as they are. Returns when it is ready.
    ///
    /// - Throws: As ``AccessoryBoard/run(_:adapter:fileID:filePath:line:)``.
    public func restart(
        grace: Duration = .seconds(5), fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        recorder.noteCommand("restart the program “\(name)”") { [adapter] in
            try await $0.accessory.program(on: adapter).restart(grace: grace)
        }
        return try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            if isRunning { _ = try await endAndNote(grace: grace) }
            try await start(keepsFiles: true)
        }
    }

    // MARK: Input and files

    /// Writes a line to its standard input, and a line break after it.
    ///
    /// - Throws: `RadioError.invalid` if it has ended, or does not read its input within 10 s.
    public func send(
        _ text: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        try await send(Data("\(text)\n".utf8), fileID: fileID, filePath: filePath, line: line)
    }

    /// Writes bytes to its standard input, 1 MiB at most.
    ///
    /// - Throws: `RadioError.invalid` if it has ended, or does not read its input within 10 s.
    public func send(
        _ bytes: Data, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws {
        recorder.noteCommand("send \(bytes.count) bytes to the program “\(name)”") { [adapter] in
            try await $0.accessory.program(on: adapter).send(bytes)
        }
        return try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            guard bytes.count <= 1 << 20 else { throw RadioError.invalid("at most 1 MiB can be sent at once") }
            try await board.ask { .program(.send(bytes, on: adapter, $0)) }
        }
    }

    /// Reads a regular file of the board.
    ///
    /// - Parameter path: Absolute, or relative to the program's working folder.
    /// - Throws: `RadioError.invalid` if it is not there, is not a regular file, or has more than 2 MiB.
    public func fetch(
        _ path: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
    ) async throws -> Data {
        try await recorder.call(at: SourceLocation(file: fileID, path: filePath, line: line)) {
            try await board.ask { .program(.fetchFile(path, on: adapter, $0)) }
        }
    }

    // MARK: Events of the board

    /// Records lines of the program.
    func take(_ lines: [ProgramLine]) {
        for line in lines {
            let kinds: [ProgramLine.Source: String] = [.errors: "printedError", .board: "told"]
            note(line.text, kind: kinds[line.source] ?? "printed")
            if line.source == .board { look(at: line.text) }
            events.append(.printed(line))
        }
    }

    /// Looks whether a line of the board says where and when the program crashed.
    private func look(at text: String) {
        let age = CrashPlace.age(inReport: text)
        let attempt = age.map { recorder.attempt(before: $0) }
        state.withLock { state in
            state.crashPlace = CrashPlace(inReport: text)?.description ?? state.crashPlace
            state.crashAttempt = attempt ?? state.crashAttempt
        }
    }

    /// Records the end of the program.
    func take(_ exit: ProgramExit, wasAsked: Bool) {
        note("\(exit)", kind: "ended")
        let underWay = recorder.attempt()
        let (attempt, place) = state.withLock { state in
            (state.isRunning, state.exit) = (false, exit)
            return (state.crashAttempt ?? underWay, state.crashPlace.map { " at \($0)" } ?? "")
        }
        if isFailure(exit, wasAsked: wasAsked) {
            let text = "the program “\(name)” \(exit)\(place), and the scenario had not ended it; \(lastLines)"
            let when = attempt == 0 ? "" : ", in attempt \(attempt)"
            state.withLock { $0.crash = "the program “\(name)” \(exit)\(place)\(when)" }
            // It may belong to an attempt that is over.
            ScenarioRecorder.$attempt.withValue(attempt) {
                recorder.record(.failure(Failure(.product, text, at: location)))
            }
        }
        events.append(.ended(exit, wasAsked: wasAsked))
    }

    /// The board has restarted.
    func lose() {
        guard isRunning else { return }
        state.withLock { $0.isRunning = false }
        note("is gone: the board has restarted", kind: "ended")
        events.append(.lost)
    }

    private func isFailure(_ exit: ProgramExit, wasAsked: Bool) -> Bool {
        !wasAsked && !(program.endsByItself && exit == .code(0))
    }

    private func note(_ text: String, kind: String) {
        recorder.record(
            .accessory(AccessoryNote(accessory: name, adapter: adapter, AccessoryLine(text, kind: kind))))
    }

    private var lastLines: String {
        // Notes of the board, such as a long report of a crash, are in the log.
        let last = lines.filter { $0.source != .board }.suffix(RunningProgram.shownLines).map {
            PlainText.line(PlainText.cut($0.text, to: 200))
        }
        // The first line of a message has to be enough in a list.
        guard let latest = last.last else { return "it had printed nothing" }
        return "its last output: \(latest)" + (last.count > 1 ? last.map { "\n  \($0)" }.joined() : "")
    }

    // MARK: Waits

    /// Waits for an event of a pattern, unless the program ends first.
    ///
    /// - Parameter mark: Events before it do not count; nil for the latest start.
    func next<Value: Sendable>(
        _ pattern: EventPattern<ProgramEvent, Value>, since mark: EventLog<ProgramEvent>.Mark?, within limit: Duration?
    ) async throws -> Value {
        let what = "the program “\(name)” \(pattern.what)"
        let mark = mark ?? state.withLock { $0.mark }
        do {
            return try await unlessItEnds { [events] in
                try await events.first(pattern, since: mark, within: limit, waitingFor: what).value
            }
        } catch let error as ProgramEnded {
            // All its lines came before its end.
            if let value = events.all(pattern, since: mark).first { return value }
            throw error
        }
    }

    /// Runs `body` until the current run of the program ends.
    private func unlessItEnds<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
        -> Value
    {
        let start = state.withLock { $0.start }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask { throw try await self.end(since: start) }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    private func end(since start: Int) async throws -> ProgramEnded {
        let found = try await events.first(from: start) {
            switch $0 {
            case .ended, .lost: true
            case .started, .printed: false
            }
        }
        switch found.event {
        case .ended(let exit, let wasAsked):
            return ProgramEnded(
                description: "the program “\(name)” had ended: it \(exit); \(lastLines)",
                isRecorded: isFailure(exit, wasAsked: wasAsked))
        default: return ProgramEnded(description: "the program “\(name)” is gone with its board", isRecorded: false)
        }
    }
}
