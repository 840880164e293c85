#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The answering side of a conversation: reads calls, and writes answers.
///
/// A call that cannot be read is answered too, by its name, so that its caller does not wait.
package enum Answerer<C: Call> {
    /// A message of the other side.
    package enum Message: Sendable {
        case call(C, id: UInt32)
        /// A call that cannot be read: the reason, and the answer to send.
        case unreadable(String, answer: Data)
        /// Bytes that are no call.
        case noise
    }

    package static func read(_ message: Data) -> Message {
        do {
            let call = try JSONDecoder().decode(NumberedCall<C>.self, from: message)
            return .call(call.call, id: call.id)
        } catch {
            guard let id = (try? JSONDecoder().decode(CallNumber.self, from: message))?.id else { return .noise }
            let why = unreadCall(message, under: C.wireName, error)
            return .unreadable(why, answer: answer(id, .failure(C.unanswerable(why))))
        }
    }

    /// Writes the answer to a call.
    package static func answer(_ id: UInt32, _ outcome: Result<Answer, C.Failure>) -> Data {
        do {
            switch outcome {
            case .success(let answer): return try success(id, answer.value)
            case .failure(let failure): return try JSONEncoder().encode(failed(id, failure))
            }
        } catch {
            // For example a number that JSON does not have.
            let failure = C.unanswerable("its answer cannot be written: \(PlainText.reason(error))")
            return (try? JSONEncoder().encode(failed(id, failure))) ?? Data()
        }
    }

    /// Answers a message of the other side.
    ///
    /// - Parameter handle: Carries out a call.
    /// - Returns: The message to send; nil for bytes that are no call.
    package static func answer(_ message: Data, by handle: (C) throws(C.Failure) -> Answer) -> Data? {
        switch read(message) {
        case .call(let call, let id):
            let outcome: Result<Answer, C.Failure>
            do throws(C.Failure) { outcome = .success(try handle(call)) } catch { outcome = .failure(error) }
            return answer(id, outcome)
        case .unreadable(_, let answer): return answer
        case .noise: return nil
        }
    }

    private static func success<Value: Codable & Sendable>(_ id: UInt32, _ value: Value) throws -> Data {
        try JSONEncoder().encode(NumberedAnswer<Value, C.Failure>(id: id, outcome: .success(value)))
    }

    private static func failed(_ id: UInt32, _ failure: C.Failure) -> NumberedAnswer<Done, C.Failure> {
        NumberedAnswer(id: id, outcome: .failure(failure))
    }
}
