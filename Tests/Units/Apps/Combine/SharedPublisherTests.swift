import Combine
import Foundation
import Testing

/// What a shared publisher keeps, and how long.
@Suite("Shared publishers")
struct SharedPublisherTests {
    private let subject = PassthroughSubject<Int, Never>()

    /// The subject, with a note of each subscription and each cancellation.
    private func watched(_ note: @escaping (String) -> Void) -> AnyPublisher<Int, Never> {
        subject.handleEvents(receiveSubscription: { _ in note("begun") }, receiveCancel: { note("ended") })
            .eraseToAnyPublisher()
    }

    @Test("A shared publisher's one subscription lives as long as it has subscribers, and nobody else keeps it")
    func lives() {
        var (events, seen) = ([String](), [Int]())
        var first: AnyCancellable?
        var second: AnyCancellable?
        do {
            // Nothing holds the publisher after this scope.
            let shared = watched { events.append($0) }.share()
            first = shared.sink { seen.append($0) }
            second = shared.sink { seen.append($0 * 10) }
        }
        subject.send(1)
        #expect(seen.sorted() == [1, 10] && events == ["begun"])
        first = nil
        subject.send(2)
        #expect(seen.sorted() == [1, 10, 20] && events == ["begun"])
        second = nil
        #expect(events == ["begun", "ended"])
        subject.send(3)
        #expect(seen.count == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test("After its last subscriber, a shared publisher begins again with the next one")
    func beginsAgain() {
        var (events, seen) = ([String](), [Int]())
        let shared = watched { events.append($0) }.share()
        shared.sink { seen.append($0) }.cancel()
        subject.send(1)
        let later = shared.sink { seen.append($0) }
        subject.send(2)
        #expect(seen == [2] && events == ["begun", "ended", "begun"])
        later.cancel()
        later.cancel()
        #expect(events == ["begun", "ended", "begun", "ended"])
    }

    @Test("After its end, a shared publisher gives only the end, and a late cancellation changes nothing")
    func ended() {
        var (events, ends) = ([String](), [String]())
        let shared = watched { events.append($0) }.share()
        let first = shared.sink(receiveCompletion: { _ in ends.append("first") }, receiveValue: { _ in })
        subject.send(completion: .finished)
        first.cancel()
        let late = shared.sink(receiveCompletion: { _ in ends.append("late") }, receiveValue: { _ in })
        #expect(ends == ["first", "late"] && events == ["begun"])
        late.cancel()
    }

    @Test("A shared sequence is given to the first subscriber, and the end to the second")
    func sequence() {
        var (one, two) = ([Int](), [Int]())
        let shared = [1, 2, 3].publisher.share()
        let first = shared.sink { one.append($0) }
        let second = shared.sink { two.append($0) }
        #expect(one == [1, 2, 3] && two.isEmpty)
        withExtendedLifetime((first, second)) {}
        #expect(shared == shared && shared != [1, 2, 3].publisher.share())
    }

    @Test("An autoconnected publisher lives as long as its subscriber, although the app releases the publisher")
    func autoconnected() {
        var seen: [Int] = []
        var task: AnyCancellable? = subject.makeConnectable().autoconnect().sink { seen.append($0) }
        subject.send(1)
        #expect(seen == [1])
        task = nil
        subject.send(2)
        #expect(seen == [1])
        withExtendedLifetime(task) {}
    }
}
