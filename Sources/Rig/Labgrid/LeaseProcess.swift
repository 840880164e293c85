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

    private typealias Answer = CheckedContinuation<Data?, any Error>

    private struct State {
        var lastNumber = 0
        var waiting: [Int: Answer] = [:]
        var end: RigFailure?
        var wasClosed = false
    }

    private let child: ChildProcess
    private let input: Descriptor
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
            input = orders.write
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
        send(LeaseRequest("beat"))
        return !isOver.load(ordering: .relaxed)
    }

    /// Whether it still runs.
    var isRunning: Bool { state.withLock { $0.end == nil } }

    /// Whether it ended without a request, so that it may have left places.
    var hasDied: Bool { state.withLock { $0.end != nil && !$0.wasClosed } }

    private func read(_ reports: Descriptor, _ errors: Descriptor, _ note: @escaping @Sendable (String) -> Void) {
        let tail = LastLines(errors)
        let (lines, continuation) = AsyncStream<LeaseReport>.makeStream()
        startThread(named: "lease") {
            var splitter = LineSplitter(limit: 16 << 20)
            while let bytes = try? reports.read(), !bytes.isEmpty {
                for report in splitter.push(bytes).compactMap({ LeaseReport($0) }) { continuation.yield(report) }
            }
            continuation.finish()
        }
        Task { [weak self, child] in
            for await report in lines {
                if case .note(let text) = report { note(text) } else { self?.take(report) }
            }
            let status = await child.wait()
            let words = await tail.text()
            self?.end(status, words)
        }
    }

    private func take(_ report: LeaseReport) {
        switch report {
        case .answer(let number, let answer): take(number)?.resume(returning: answer)
        case .refusal(let number, let reason, let remedy):
            take(number)?.resume(throwing: RigFailure("asking labgrid", reason, remedy: remedy))
        case .lost(let place, let why, let remedy):
            losses.append(Loss(place: place, why: "\(place): \(why)" + (remedy.map { " — \($0)" } ?? "")))
        case .ready, .note: break
        }
    }

    private func take(_ number: Int) -> Answer? { state.withLock { $0.waiting.removeValue(forKey: number) } }

    private func end(_ status: HILPOSIX.ExitStatus, _ words: String) {
        let failure = RigFailure(
            "asking labgrid", "its client \(status)" + (words.isEmpty ? "" : ": \(words)"),
            remedy: "run again: that releases its places")
        let waiting = state.withLock { state in
            state.end = failure
            defer { state.waiting = [:] }
            return state.waiting
        }
        losses.append(Loss(place: nil, why: "the process that held it for this run \(status)"))
        for continuation in waiting.values { continuation.resume(throwing: failure) }
    }

    private func send(_ order: LeaseRequest) {
        // An error means that it has ended, which the end of its output shows.
        state.withLock { _ in try? input.write(order.line) }
    }

    /// Gives an order, and waits for the answer, even if the task is cancelled: then the order is cancelled too.
    ///
    /// - Returns: The answer as JSON; nil for none.
    /// - Throws: ``RigFailure``.
    func ask(_ order: LeaseRequest) async throws -> Data? {
        var order = order
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        order.id = number
        let whole = order
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure = state.withLock { state in
                    if state.end == nil { state.waiting[number] = continuation }
                    return state.end
                }
                if let failure { return continuation.resume(throwing: failure) }
                send(whole)
                if Task.isCancelled { callOff(number) }
            }
        } onCancel: {
            callOff(number)
        }
    }

    private func callOff(_ number: Int) {
        var order = LeaseRequest("cancel")
        order.of = number
        send(order)
    }

    /// Ends it normally: it gives everything back at once. Waits for that, at most half a minute.
    func close() async {
        state.withLock { $0.wasClosed = true }
        send(LeaseRequest("close"))
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
