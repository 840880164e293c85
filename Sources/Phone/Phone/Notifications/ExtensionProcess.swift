import Dispatch
import HILTiming

/// The stand-in for an extension's process: runs its code on its own queue, with the phone as the current one.
///
/// `@unchecked Sendable`: its state is accessed on the queue only.
final class ExtensionProcess<Hosted>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var link: PhoneLink
    private var hosted: Hosted?
    /// The calls whose completion handlers have not been called yet.
    private var pending: [Int: AsyncStream<AccessoryMessage.Result>.Continuation] = [:]
    private var callCount = 0

    init(_ name: String, link: PhoneLink) {
        queue = DispatchQueue(label: "extension.\(name)")
        self.link = link
    }

    /// Runs `make` on the queue as the code of `run`, and keeps its result as the extension.
    ///
    /// - Throws: `CancellationError` if the app has ended meanwhile; ``ExtensionRunEnded`` if the process has; the error of
    ///   `make`.
    func launch(as run: ExtensionRun, _ make: @escaping @Sendable () throws -> Hosted) async throws {
        let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                guard link.phone?.app != nil else {
                    return continuation.resume(returning: .failure(CancellationError()))
                }
                link = link.hosting(run)
                continuation.resume(
                    returning: Result {
                        let made = try link.run(make)
                        run.reached(.launch)
                        guard run.isRunning else { throw ExtensionRunEnded() }
                        hosted = made
                    })
            }
        }
        try outcome.get()
    }

    /// Calls into the extension for the last time and releases it. Pending calls end with `transportUnavailable`.
    func end(_ body: @escaping @Sendable (Hosted) -> Void) {
        queue.async { [self] in
            guard let hosted = letGo(.transportUnavailable) else { return }
            link.run { body(hosted) }
        }
    }

    /// Releases the extension whose process has ended, without a call. Pending calls end with `transportFailed`, unless
    /// the policy counts them as delivered.
    func processEnded() {
        queue.async { [self] in _ = letGo(link.policy.repeatsAfterExtensionEnd ? .transportFailed : nil) }
    }

    /// - Parameter error: How the pending calls end; nil for successfully.
    private func letGo(_ error: AccessoryMessage.Error?) -> Hosted? {
        defer { hosted = nil }
        for continuation in pending.values { continuation.yield(error.map { .failure($0) } ?? .success) }
        pending = [:]
        return hosted
    }

    /// A call into the extension whose completion handler gives the answer.
    struct Call: Sendable {
        fileprivate let answers: AsyncStream<AccessoryMessage.Result>
    }

    /// Queues a call into the extension. Calls run in order.
    ///
    /// - Parameter byteCount: How many bytes the extension is given. More than its memory limit end it.
    func call(holding byteCount: Int = 0, _ body: @escaping @Sendable (Hosted, Completion) -> Void) -> Call {
        let (answers, continuation) = AsyncStream<AccessoryMessage.Result>.makeStream()
        queue.async { [self] in
            guard let hosted else {
                // Its process has just ended, or its session has.
                continuation.yield(.failure(link.isRunning ? .transportUnavailable : .transportFailed))
                return continuation.finish()
            }
            callCount += 1
            let number = callCount
            pending[number] = continuation
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                queue.async { self.pending[number] = nil }
            }
            let completion = Completion(continuation, of: link.host)
            link.host?.holds(byteCount, limit: link.policy.extensionMemoryLimit)
            link.run { body(hosted, completion) }
            link.host?.reached(.receive)
        }
        return Call(answers: answers)
    }

    /// Waits for the completion handler of a call. To be called once for each call.
    ///
    /// The call counts as successful if the extension releases the handler without calling it, or has not called it
    /// within `limit` (T1; seed: "If you don't call the completion handler, the system assumes successful delivery").
    func answer(to call: Call, within limit: Duration) async throws -> AccessoryMessage.Result {
        do {
            return try await withDeadline(limit, waitingFor: "an extension's answer", clock: link.clock) {
                for await answer in call.answers { return answer }
                try Task.checkCancellation()
                return .success
            }
        } catch is TimedOut {
            return .success
        }
    }
}

/// The process of an extension has ended.
struct ExtensionRunEnded: Error, CustomStringConvertible {
    var description: String { "the extension's process ended" }
}

/// The completion handler of a call. The first call of it counts; releasing it without a call ends the wait, too.
///
/// Once the extension's process has ended, it does nothing.
final class Completion: Sendable {
    private let continuation: AsyncStream<AccessoryMessage.Result>.Continuation
    private let run: ExtensionRun?

    init(_ continuation: AsyncStream<AccessoryMessage.Result>.Continuation, of run: ExtensionRun?) {
        self.continuation = continuation
        self.run = run
    }

    deinit { if isUsable { continuation.finish() } }

    func callAsFunction(_ result: AccessoryMessage.Result) {
        guard isUsable else { return }
        continuation.yield(result)
        continuation.finish()
        run?.reached(.answer)
    }

    private var isUsable: Bool { run?.isRunning ?? true }
}
