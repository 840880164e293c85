import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// The process that holds places for this one, and outlives it by seconds.
///
/// It ends when this process closes its input, which the kernel does in every case. Then it gives all places back.
final class LeaseProcess: Sendable {
    /// A place that is no longer held.
    struct Loss: Sendable {
        /// Nil for all places: the process has ended.
        var place: String?
        var why: String
    }

    private struct State {
        var end: RigFailure?
        var wasClosed = false
    }

    private let child: ChildProcess
    private let input: LeaseInput
    private let caller: Caller<LeaseCall>
    private let state = Mutex(State())
    private let isOver = Atomic(false)
    /// The places that were lost so far.
    let losses = EventLog<Loss>()

    /// Starts the process. The caller must ignore SIGPIPE.
    ///
    /// - Parameters:
    ///   - job: The name of the job, which labgrid shows as part of the holder.
    ///   - mends: Whether it releases the places of this user's killed jobs on this machine.
    ///   - grace: How long it keeps the places after this process was killed, so that the boards can restore
    ///     themselves.
    ///   - note: Called with lines for people.
    init(
        _ engine: LabgridEngine, job: String, mends: Bool, grace: Duration, note: @escaping @Sendable (String) -> Void
    ) throws(RigFailure) {
        do throws(SystemError) {
            let (orders, reports, errors) = (try Descriptor.pipe(), try Descriptor.pipe(), try Descriptor.pipe())
            child = try ChildProcess.spawn(
                [
                    "python3", engine.program, "--coordinator", engine.coordinator, "--job", job, "--grace",
                    "\(grace.seconds)",
                ] + (mends ? ["--mend"] : []),
                environment: engine.environment,
                streams: [.descriptor(orders.read), .descriptor(reports.write), .descriptor(errors.write)],
                ownGroup: true)
            for end in [orders.read, reports.write, errors.write] { end.close() }
            let input = LeaseInput(orders.write)
            self.input = input
            caller = Caller(
                send: { input.send($0) },
                unreadable: { RigFailure("asking labgrid", "its client's answer is unreadable: \($0)") })
            read(reports.read, errors.read, note)
        } catch {
            throw RigFailure(
                "starting labgrid's client", error.description,
                remedy: error.code == ENOENT ? "run `make setup`, or `apt-get install python3` as root" : nil)
        }
        // On a separate thread: the others may all be busy for a long time.
        startThread(named: "heartbeat") { [weak self] in while self?.beat() == true { sleep(1) } }
    }

    deinit {
        isOver.store(true, ordering: .relaxed)
        input.close()
    }

    /// Sends it a heartbeat. Returns whether more must follow.
    private func beat() -> Bool {
        input.send(LeaseNotice.beat)
        return !isOver.load(ordering: .relaxed)
    }

    /// Whether it still runs.
    var isRunning: Bool { state.withLock { $0.end == nil } }

    /// Whether it ended without a request, so that it may have left places.
    var hasDied: Bool { state.withLock { $0.end != nil && !$0.wasClosed } }

    private func read(_ reports: Descriptor, _ errors: Descriptor, _ note: @escaping @Sendable (String) -> Void) {
        let tail = LastLines(errors)
        let (reported, continuation) = AsyncStream<LeaseReport>.makeStream()
        startThread(named: "lease") { [caller] in
            var splitter = LineSplitter(limit: 16 << 20)
            while let bytes = try? reports.read(), !bytes.isEmpty {
                for line in splitter.push(bytes) where !caller.take(Data(line)) {
                    if let report = LeaseReport(line) { continuation.yield(report) }
                }
            }
            continuation.finish()
        }
        Task { [weak self, child] in
            for await report in reported {
                switch report {
                case .note(let text): note(text)
                case .ready: break
                case .lost(let place, let why, let remedy):
                    let advice = remedy.map { " — \($0)" } ?? ""
                    self?.losses.append(Loss(place: place, why: "\(place): \(why)\(advice)"))
                }
            }
            let status = await child.wait()
            let words = await tail.text()
            self?.end(status, words)
        }
    }

    private func end(_ status: HILPOSIX.ExitStatus, _ words: String) {
        let failure = RigFailure(
            "asking labgrid", "its client \(status)" + (words.isEmpty ? "" : ": \(words)"),
            remedy: "run again: that releases its places")
        state.withLock { $0.end = failure }
        losses.append(Loss(place: nil, why: "the process that held it for this run \(status)"))
        caller.end(failure)
    }

    /// Asks something, and waits for the answer, even if the task is cancelled: then the call is called off.
    ///
    /// - Throws: ``RigFailure``.
    @discardableResult
    func ask<Value>(_ call: (Reply<Value>) -> LeaseCall) async throws -> Value {
        try await ask(Question(call))
    }

    private func ask<Value>(_ question: Question<LeaseCall, Value>) async throws -> Value {
        do {
            return try await caller.ask(question, callOff: { [input] in input.send(LeaseNotice.callOff($0)) })
        } catch let refusal as LeaseRefusal {
            throw RigFailure("asking labgrid", refusal.reason, remedy: refusal.remedy)
        }
    }

    /// Ends it normally: it gives everything back at once. Waits for that, at most half a minute.
    func close() async {
        state.withLock { $0.wasClosed = true }
        input.send(LeaseNotice.close)
        isOver.store(true, ordering: .relaxed)
        input.close()
        _ = try? await withDeadline(.seconds(30), waitingFor: "labgrid's client to end") { [child] in
            await withTaskCancellationHandler {
                await child.wait()
            } onCancel: {
                // It hangs: the next job here releases its remaining places.
                child.signal(SIGKILL)
            }
        }
    }

    /// Kills it, for tests.
    func kill() { child.signal(SIGKILL) }
}

/// The lease's standard input, one line at a time.
private final class LeaseInput: Sendable {
    private let descriptor: Descriptor
    private let turn = Mutex(())

    init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    func send(_ notice: LeaseNotice) {
        // Words and numbers can always be encoded.
        if let line = try? JSONEncoder().encode(notice) { send(line) }
    }

    func send(_ line: Data) {
        // An error means that it has ended, which the end of its output shows.
        turn.withLock { _ in try? descriptor.write(Array(line) + [UInt8(ascii: "\n")]) }
    }

    func close() { descriptor.close() }
}

/// The end of what a program wrote to standard error.
private final class LastLines: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let ended = EventLog<Bool>()

    init(_ pipe: Descriptor) {
        startThread(named: "lease-errors") { [self] in
            while let more = try? pipe.read(), !more.isEmpty { bytes.withLock { $0 = Array(($0 + more).suffix(2000)) } }
            ended.append(true)
        }
    }

    /// The last line, after the program has ended.
    func text() async -> String {
        _ = try? await ended.first(within: .seconds(1), waitingFor: "the end of the errors")
        let text = bytes.withLock { String(decoding: $0, as: UTF8.self) }
        return text.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
    }
}
