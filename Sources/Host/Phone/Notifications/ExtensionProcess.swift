import Dispatch
import Timing

/// Where an extension's code runs: on a queue of its own, with the phone as the current one.
///
/// `@unchecked Sendable`: what changes is touched on the queue only.
final class ExtensionProcess<Hosted>: @unchecked Sendable {
    private let queue: DispatchQueue
    private let link: PhoneLink
    private var hosted: Hosted?
    /// What is waited for now.
    private var asked: [Int: AsyncStream<ForwardingMessage.Result>.Continuation] = [:]
    private var askedCount = 0

    init(_ name: String, link: PhoneLink) {
        queue = DispatchQueue(label: "extension.\(name)")
        self.link = link
    }

    /// Runs `make` on the queue and keeps what it gives.
    func launch(_ make: @escaping @Sendable () throws -> Hosted) async throws {
        let outcome: Result<Void, any Error> = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: Result { hosted = try link.run(make) })
            }
        }
        try outcome.get()
    }

    /// Calls into the extension for the last time, and lets go of it; whoever waits for it hears `transportUnavailable`.
    func end(_ body: @escaping @Sendable (Hosted) -> Void) {
        queue.async { [self] in
            guard let hosted else { return }
            self.hosted = nil
            for continuation in asked.values { continuation.yield(.failure(.transportUnavailable)) }
            asked = [:]
            link.run { body(hosted) }
        }
    }

    /// A call into the extension whose completion handler is waited for.
    struct Question: Sendable {
        fileprivate let answers: AsyncStream<ForwardingMessage.Result>
    }

    /// Calls into the extension, after every call before.
    func ask(_ body: @escaping @Sendable (Hosted, Completion) -> Void) -> Question {
        let (answers, continuation) = AsyncStream<ForwardingMessage.Result>.makeStream()
        queue.async { [self] in
            guard let hosted else {
                continuation.yield(.failure(.transportUnavailable))
                return continuation.finish()
            }
            askedCount += 1
            let number = askedCount
            asked[number] = continuation
            continuation.onTermination = { [weak self] _ in
                guard let self else { return }
                queue.async { self.asked[number] = nil }
            }
            let completion = Completion(continuation)
            link.run { body(hosted, completion) }
        }
        return Question(answers: answers)
    }

    /// Waits for the completion handler of a call, once.
    ///
    /// An extension that lets go of the handler without a call, or that has not called it when `limit` has passed, counts
    /// as successful (T1; seed: "If you don't call the completion handler, the system assumes successful delivery").
    func answer(to question: Question, within limit: Duration) async throws -> ForwardingMessage.Result {
        do {
            return try await withDeadline(limit, waitingFor: "an extension's answer", clock: link.clock) {
                for await answer in question.answers { return answer }
                try Task.checkCancellation()
                return .success
            }
        } catch is TimedOut {
            return .success
        }
    }
}

/// A completion handler's other end: the first call counts, and so does letting go of it.
final class Completion: Sendable {
    private let continuation: AsyncStream<ForwardingMessage.Result>.Continuation

    init(_ continuation: AsyncStream<ForwardingMessage.Result>.Continuation) {
        self.continuation = continuation
    }

    deinit { continuation.finish() }

    func callAsFunction(_ result: ForwardingMessage.Result) {
        continuation.yield(result)
        continuation.finish()
    }
}
