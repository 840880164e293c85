import Dispatch
import HILTiming

/// The stand-in for an extension's process: runs its code on its own queue, with the phone as the current one.
///
/// `@unchecked Sendable`: its state is accessed on the queue only.
final class ExtensionProcess<Hosted>: @unchecked Sendable {
    private let queue: DispatchQueue
    private let link: PhoneLink
    private var hosted: Hosted?
    /// The calls whose completion handlers have not been called yet.
    private var pending: [Int: AsyncStream<AccessoryMessage.Result>.Continuation] = [:]
    private var callCount = 0

    init(_ name: String, link: PhoneLink) {
        queue = DispatchQueue(label: "extension.\(name)")
        self.link = link
    }

    /// Runs `make` on the queue and keeps its result as the extension.
    ///
    /// - Throws: `CancellationError` if the app has ended meanwhile; the error of `make`.
    func launch(_ make: @escaping @Sendable () throws -> Hosted) async throws {
        let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                guard link.phone?.app != nil else {
                    return continuation.resume(returning: .failure(CancellationError()))
                }
                continuation.resume(returning: Result { hosted = try link.run(make) })
            }
        }
        try outcome.get()
    }

    /// Calls into the extension for the last time and releases it. Pending calls end with `transportUnavailable`.
    func end(_ body: @escaping @Sendable (Hosted) -> Void) {
        queue.async { [self] in
            guard let hosted else { return }
            self.hosted = nil
            for continuation in pending.values { continuation.yield(.failure(.transportUnavailable)) }
            pending = [:]
            link.run { body(hosted) }
        }
    }

    /// A call into the extension whose completion handler gives the answer.
    struct Call: Sendable {
        fileprivate let answers: AsyncStream<AccessoryMessage.Result>
    }

    /// Queues a call into the extension. Calls run in order.
    func call(_ body: @escaping @Sendable (Hosted, Completion) -> Void) -> Call {
        let (answers, continuation) = AsyncStream<AccessoryMessage.Result>.makeStream()
        queue.async { [self] in
            guard let hosted else {
                continuation.yield(.failure(.transportUnavailable))
                return continuation.finish()
            }
            callCount += 1
            let number = callCount
            pending[number] = continuation
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                queue.async { self.pending[number] = nil }
            }
            let completion = Completion(continuation)
            link.run { body(hosted, completion) }
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

/// The completion handler of a call. The first call of it counts; releasing it without a call ends the wait, too.
final class Completion: Sendable {
    private let continuation: AsyncStream<AccessoryMessage.Result>.Continuation

    init(_ continuation: AsyncStream<AccessoryMessage.Result>.Continuation) {
        self.continuation = continuation
    }

    deinit { continuation.finish() }

    func callAsFunction(_ result: AccessoryMessage.Result) {
        continuation.yield(result)
        continuation.finish()
    }
}
