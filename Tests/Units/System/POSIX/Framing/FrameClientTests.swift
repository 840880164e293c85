import Foundation
import Synchronization
import Testing

@testable import HILPOSIX

@Suite("A client of frames", .timeLimit(.minutes(1))) struct FrameClientTests {
    private struct Answer: NumberedMessage, Codable {
        var id: UInt32
        var text: String
    }

    private final class News: Sendable {
        let items = Mutex<[String]>([])

        func add(_ item: String) { items.withLock { $0.append(item) } }
    }

    private struct Failure: Error, Equatable {
        let text: String
    }

    private let client: FrameClient<Answer, String>
    private let other: FrameChannel

    init() throws {
        let (near, far) = try UnixSocket.pair()
        client = FrameClient(
            near, name: "test", kinds: .init(request: 1, answer: 2, event: 3),
            describe: { bytes, _ in "\(bytes.count)" },
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
        Task { try await client.ask { try JSONEncoder().encode(Answer(id: $0, text: text)) }.text }
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
            asked.append((task, try JSONDecoder().decode(Answer.self, from: Data(frame.payload)).id))
        }
        func send(_ kind: UInt8, _ json: String) { other.send(Frame(kind: kind, payload: Array(json.utf8))) }
        send(3, #""one""#)
        send(2, #"{"id":\#(asked[2].id),"text":"C"}"#)
        send(2, #"{"id":\#(asked[0].id),"text":7}"#)
        send(2, #"{"id":4711,"text":7}"#)
        send(9, "{}")
        send(3, "{}")
        #expect(try await asked[2].task.value == "C")
        await #expect(throws: Failure(text: "unreadable: 17")) { try await asked[0].task.value }
        asked[1].task.cancel()
        await #expect(throws: CancellationError.self) { try await asked[1].task.value }
        send(2, #"{"id":\#(asked[1].id),"text":"too late"}"#)

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
                "event one", "refused: a frame that is not a message: 20", "refused: a frame of unknown kind 9",
                "refused: a frame that is not a message: 2",
            ])
    }
}
