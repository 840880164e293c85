import Foundation
import Synchronization
import Testing

@testable import HILPOSIX

@Suite("A client of frames", .timeLimit(.minutes(1))) struct FrameClientTests {
    private enum Question: Call {
        typealias Failure = FrameClientTests.Failure
        case say(String, Reply<String>)

        static func unanswerable(_ why: String) -> Failure { Failure(text: why) }
    }

    private final class News: Sendable {
        let items = Mutex<[String]>([])

        func add(_ item: String) { items.withLock { $0.append(item) } }
    }

    fileprivate struct Failure: Error, Codable, Equatable {
        let text: String
    }

    private let client: FrameClient<Question, String>
    private let other: FrameChannel

    init() throws {
        let (near, far) = try UnixSocket.pair()
        client = FrameClient(
            near, name: "test", kinds: .init(call: 1, answer: 2, event: 3),
            unreadable: { Failure(text: "unreadable: \($0)") })
        other = FrameChannel(far, name: "other")
    }

    private func run(_ news: News) async {
        await client.run(untilLost: Failure(text: "lost")) { item in
            switch item {
            case .event(let text): news.add("event \(text)")
            case .refused(let why): news.add("refused: \(why)")
            }
        }
    }

    private func ask(_ text: String) -> Task<String, any Error> {
        Task { try await client.ask(HILPOSIX.Question { .say(text, $0) }) }
    }

    private func requests() -> AsyncStream<FrameReader.Item>.AsyncIterator { other.items.makeAsyncIterator() }

    @Test("gets answers in any order with events between them; unreadable frames are refused, or end their wait")
    func conversation() async throws {
        let news = News()
        var requests = requests()
        async let over: Void = run(news)
        var asked: [(task: Task<String, any Error>, id: UInt32)] = []
        for text in ["a", "b", "c"] {
            let task = ask(text)
            guard case .frame(let frame) = await requests.next() else { return #expect(Bool(false), "no request") }
            asked.append((task, try JSONDecoder().decode(NumberedCall<Question>.self, from: Data(frame.payload)).id))
        }
        func send(_ kind: UInt8, _ json: String) { other.send(Frame(kind: kind, payload: Array(json.utf8))) }
        send(3, #""one""#)
        send(2, #"{"id":\#(asked[2].id),"outcome":{"success":{"_0":"C"}}}"#)
        send(2, #"{"id":\#(asked[0].id),"outcome":{"success":{"_0":7}}}"#)
        send(2, #"{"id":4711,"outcome":{"success":{"_0":"an unknown call"}}}"#)
        send(2, #"{"outcome":7}"#)
        send(9, "{}")
        send(3, "{}")
        #expect(try await asked[2].task.value == "C")
        let unreadable = await #expect(throws: Failure.self) { try await asked[0].task.value }
        #expect(unreadable?.text.contains("bytes: Expected to decode String") == true)
        asked[1].task.cancel()
        await #expect(throws: CancellationError.self) { try await asked[1].task.value }
        send(2, #"{"id":\#(asked[1].id),"outcome":{"success":{"_0":"too late"}}}"#)

        let last = ask("d")
        _ = await requests.next()
        client.giveUp(Failure(text: "started anew"))
        await #expect(throws: Failure(text: "started anew")) { try await last.value }
        let waiting = ask("e")
        _ = await requests.next()
        other.close()
        await #expect(throws: Failure(text: "lost")) { try await waiting.value }
        await over
        await #expect(throws: Failure(text: "lost")) { try await ask("f").value }
        #expect(
            news.items.withLock { $0 } == [
                "event one", "refused: a frame of 13 bytes that is no answer", "refused: a frame of unknown kind 9",
                "refused: an event of 2 bytes that cannot be read: Expected to decode String but found a dictionary instead.",
            ])
    }
}
