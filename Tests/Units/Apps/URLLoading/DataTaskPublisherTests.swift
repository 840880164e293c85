import Combine
import HILTiming
import HILURLLoading
import Testing

@testable import HILPhone

extension URLLoadingTests {
    /// The events of a publisher.
    private static func events(
        of publisher: some Publisher<String, any Error>
    ) async throws -> [String] {
        let log = EventLog<String>()
        let task = publisher.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: log.append("finished")
                case .failure(let error): log.append("\((error as? URLError)?.code.rawValue ?? 0)")
                }
            }, receiveValue: { log.append($0) })
        _ = try await log.first(within: .seconds(60), waitingFor: "the end") { $0 == "finished" || Int($0) != nil }
        task.cancel()
        return log.events
    }

    @Test("A publisher of a request gives its body and response, once for each subscriber", .covers("W13"))
    func publisher() async throws {
        let stand = try await Stand()
        await stand.joinWithPage()
        let page = Self.session().dataTaskPublisher(for: URL(string: "http://192.0.2.1/status")!).tryMap {
            data, response in
            "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
        }
        #expect(stand.asked.withLock { $0.isEmpty }, "nobody has subscribed")
        #expect(try await Self.events(of: page) == ["200 on", "finished"])
        #expect(try await Self.events(of: page) == ["200 on", "finished"])
        #expect(stand.asked.withLock { $0.count } == 2)
        let bodies = Self.session().dataTaskPublisher(for: URLRequest(url: URL(string: "http://192.0.2.1/")!)).map(
            \.data
        )
        .map { String(decoding: $0, as: UTF8.self) }.mapError { $0 as any Error }
        #expect(try await Self.events(of: bodies) == ["on", "finished"])
    }

    @Test("A publisher of a request fails with an iPhone's code, and a cancelled one gives nothing", .covers("W13"))
    func failingPublisher() async throws {
        let stand = try await Stand()
        let publisher = Self.session().dataTaskPublisher(for: URL(string: "http://192.0.2.1/")!).map { _ in "" }
            .mapError { $0 as any Error }
        #expect(try await Self.events(of: publisher) == ["\(URLError.Code.notConnectedToInternet.rawValue)"])
        await stand.join(nil)
        #expect(try await Self.events(of: publisher) == ["\(URLError.Code.cannotConnectToHost.rawValue)"])
        let log = EventLog<String>()
        let task = publisher.sink(
            receiveCompletion: { _ in log.append("end") }, receiveValue: { log.append($0) })
        task.cancel()
        #expect(try await Self.events(of: publisher).count == 1)
        #expect(log.events.isEmpty)
    }
}
