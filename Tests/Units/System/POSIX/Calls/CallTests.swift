import Foundation
import HILTiming
import Testing

@testable import HILPOSIX

private enum Lamp: Call {
    typealias Failure = Refusal

    case dim(to: Int, Reply<Int>)
    case off(Reply<Done>)
    case find(String?, Reply<String?>)
    case light(Light)

    enum Light: Codable, Sendable {
        case colour(String, brightness: Double, Reply<Double>)
    }

    static func unanswerable(_ why: String) -> Refusal { Refusal(why: why) }
}

private struct Refusal: Error, Codable, Equatable {
    var why: String
}

@Suite("Calls", .timeLimit(.minutes(1)))
struct CallTests {
    private let sent = EventLog<Data>()
    private let caller: Caller<Lamp>

    init() {
        caller = Caller(
            send: { [sent] in sent.append($0) }, unreadable: { Refusal(why: "unreadable: \($0)") })
    }

    /// Answers the calls as they come.
    private func answer(_ count: Int, by handle: @Sendable (Lamp) throws(Refusal) -> Answer) async throws {
        for number in 0..<count {
            let message = try await sent.first(from: number, within: .seconds(300), waitingFor: "a call").event
            let answer = Answerer<Lamp>.answer(message, by: handle)
            #expect(caller.take(try #require(answer)))
        }
    }

    private static func perform(_ call: Lamp) throws(Refusal) -> Answer {
        switch call {
        case .dim(let percent, let reply):
            guard percent <= 100 else { throw Refusal(why: "too bright") }
            return reply(percent)
        case .off(let reply): return reply()
        case .find(let name, let reply): return reply(name)
        case .light(.colour(_, let brightness, let reply)): return reply(brightness)
        }
    }

    private static func answerNoNumber(_ call: Lamp) throws(Refusal) -> Answer {
        guard case .light(.colour(_, _, let reply)) = call else { throw Refusal(why: "another call") }
        return reply(.nan)
    }

    @Test("A caller gets a value of the call's type, nothing included, or the answerer's own refusal")
    func values() async throws {
        async let answered: Void = answer(6, by: Self.perform)
        #expect(try await caller.ask(Question { .dim(to: 7, $0) }) == 7)
        try await caller.ask(Question { .off($0) })
        #expect(try await caller.ask(Question { .find("é", $0) }) == "é")
        #expect(try await caller.ask(Question { .find(nil, $0) }) == nil)
        #expect(try await caller.ask(Question { .light(.colour("red", brightness: 0.5, $0)) }) == 0.5)
        await #expect(throws: Refusal(why: "too bright")) { try await caller.ask(Question { .dim(to: 101, $0) }) }
        try await answered
    }

    @Test("An answer that JSON cannot hold is a refusal, not a silence")
    func unwritable() async throws {
        async let answered: Void = answer(1, by: Self.answerNoNumber)
        let refusal = await #expect(throws: Refusal.self) {
            try await caller.ask(Question { .light(.colour("red", brightness: 1, $0)) })
        }
        #expect(refusal?.why.hasPrefix("its answer cannot be written: ") == true)
        try await answered
    }

    @Test("A call has its name without its values")
    func names() {
        #expect(Lamp.off(Reply()).name == "off")
        #expect(Lamp.find("secret", Reply()).name == "find")
        #expect(Lamp.light(.colour("secret", brightness: 1, Reply())).name == "light.colour")
    }

    @Test(
        "A call that cannot be read is answered by its name and the reason, without its values",
        arguments: [
            (#"{"id":7,"call":{"dance":{"_0":"secret"}}}"#, "the call dance: it is unknown here"),
            (
                #"{"id":7,"call":{"light":{"_0":{"blink":{"_0":"secret"}}}}}"#,
                "the call light.blink: it is unknown here"
            ),
            (#"{"id":7,"call":{"dim":{"_1":{}}}}"#, "the call dim: it lacks “to”"),
            (#"{"id":7,"call":{"dim":{"to":"secret","_1":{}}}}"#, "the call dim: “to” cannot be read"),
            (#"{"id":7,"call":{"find":{"_0":7,"_1":{}}}}"#, "the call find: a value cannot be read"),
            (#"{"id":7,"call":{"a\u001b[31m":{}}}"#, "the call a#x1B[31m: it is unknown here"),
            (#"{"id":7,"call":{"dim":{},"off":{}}}"#, "a call without a name"),
            (#"{"id":7,"call":"secret"}"#, "a call without a name"), (#"{"id":7}"#, "a call without a name"),
        ])
    func unreadable(_ text: String, _ why: String) throws {
        guard case .unreadable(let found, let answer) = Answerer<Lamp>.read(Data(text.utf8)) else {
            Issue.record("it was read")
            return
        }
        #expect(found == why)
        let outcome = try JSONDecoder().decode(NumberedAnswer<Done, Refusal>.self, from: answer)
        #expect(outcome.id == 7)
        if case .failure(Refusal(why: why)) = outcome.outcome {} else { Issue.record("\(outcome)") }
    }

    @Test(
        "Bytes without a number are no call",
        arguments: ["", "{", "[]", "null", #"{"id":"7"}"#, #"{"id":-1}"#, "{\"call\":{}}"])
    func noise(_ text: String) {
        guard case .noise = Answerer<Lamp>.read(Data(text.utf8)) else {
            Issue.record("it was read")
            return
        }
        #expect(!caller.take(Data(text.utf8)))
    }

    @Test("A cancelled call ends at once; one that is called off still waits for its answer")
    func cancellation() async throws {
        let ended = Task { try await caller.ask(Question { .dim(to: 1, $0) }) }
        let first = try await sent.first(within: .seconds(300), waitingFor: "the call").event
        ended.cancel()
        await #expect(throws: CancellationError.self) { try await ended.value }
        let late = Answerer<Lamp>.answer(first, by: Self.perform)
        #expect(caller.take(try #require(late)), "an answer, though nobody waits for it")

        let calledOff = EventLog<UInt32>()
        let waiting = Task { try await caller.ask(Question { .dim(to: 2, $0) }, callOff: { calledOff.append($0) }) }
        let second = try await sent.first(from: 1, within: .seconds(300), waitingFor: "the call").event
        waiting.cancel()
        #expect(try await calledOff.first(within: .seconds(300), waitingFor: "calling off").event == 2)
        let answer = Answerer<Lamp>.answer(second, by: Self.perform)
        #expect(caller.take(try #require(answer)))
        #expect(try await waiting.value == 2)
    }

    @Test("The end of the conversation ends every wait, and later calls at once")
    func end() async throws {
        let waiting = Task { try await caller.ask(Question { .off($0) }) }
        _ = try await sent.first(within: .seconds(300), waitingFor: "the call")
        caller.end(Refusal(why: "gone"))
        await #expect(throws: Refusal(why: "gone")) { try await waiting.value }
        await #expect(throws: Refusal(why: "gone")) { try await caller.ask(Question { .off($0) }) }
        #expect(sent.count == 1)
    }
}
