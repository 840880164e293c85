import Combine
import Foundation
import Testing

/// A view model as apps have it.
private final class Gadget: ObservableObject {
    @Published var face = 0
    @Published var name = "?"
    @Published var token: NSObject?
}

/// The publishers of Foundation, and the operators that apps use with them.
@Suite("Foundation's publishers")
struct FoundationPublisherTests {
    private struct Roll: Codable, Equatable {
        var face: Int
    }

    private struct Broken: Error, Equatable {}

    /// Runs the loop of this thread for a moment, in which a timer of a millisecond fires.
    private func runLoop() { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }

    @Test("A timer's publisher ticks in its run loop until its subscriber leaves")
    func timer() {
        var dates: [Date] = []
        var task: AnyCancellable? = Timer.publish(every: 0.001, tolerance: 0, on: .current, in: .default).autoconnect()
            .sink { dates.append($0) }
        while dates.count < 3 { runLoop() }
        #expect(dates == dates.sorted())
        task = nil
        let count = dates.count
        runLoop()
        #expect(dates.count == count)
        withExtendedLifetime(task) {}
    }

    @Test("A timer's publisher does not tick before it is connected")
    func unconnected() {
        var count = 0
        let timer = Timer.publish(every: 0.001, on: .current, in: .default)
        let task = timer.sink { _ in count += 1 }
        runLoop()
        #expect(count == 0 && timer.interval == 0.001)
        let connection = timer.connect()
        while count == 0 { runLoop() }
        connection.cancel()
        let ticks = count
        runLoop()
        #expect(count == ticks, "the timer has ended, although there is a subscriber")
        task.cancel()
    }

    @Test("A notification's publisher gives those of its sender, and is equal to another one of the same")
    func notifications() {
        let (center, name) = (NotificationCenter(), Notification.Name("rolled"))
        let (one, other) = (NSObject(), NSObject())
        var count = 0
        let task = center.publisher(for: name, object: one).sink { _ in count += 1 }
        for sender in [one, other] { center.post(name: name, object: sender) }
        #expect(count == 1)
        task.cancel()
        center.post(name: name, object: one)
        #expect(count == 1)
        #expect(center.publisher(for: name) == NotificationCenter.Publisher(center: center, name: name))
        #expect(center.publisher(for: name) != center.publisher(for: name, object: one))
    }

    @Test("Values are assigned to a published property for as long as it lives")
    func assigned() {
        let subject = PassthroughSubject<Int, Never>()
        let tokens = PassthroughSubject<NSObject?, Never>()
        weak var old: Gadget?
        weak var oldToken: NSObject?
        var changes = 0
        do {
            let gadget = Gadget()
            let task = gadget.objectWillChange.sink { changes += 1 }
            subject.assign(to: &gadget.$face)
            subject.map { "\($0)" }.assign(to: &gadget.$name)
            tokens.assign(to: &gadget.$token)
            subject.send(6)
            #expect(gadget.face == 6 && gadget.name == "6" && changes == 2)
            let token = NSObject()
            tokens.send(token)
            (old, oldToken) = (gadget, token)
            #expect(gadget.token === token)
            withExtendedLifetime(task) {}
        }
        #expect(old == nil && oldToken == nil, "the publisher keeps neither the object nor its property")
        subject.send(5)
    }

    @Test("Values are decoded and encoded; a wrong one ends it with an error")
    func coding() throws {
        let data = try JSONEncoder().encode(Roll(face: 6))
        var rolls: [Roll] = []
        var ends: [Bool] = []
        func decode(_ data: Data) {
            _ = Just(data).decode(type: Roll.self, decoder: JSONDecoder()).sink(
                receiveCompletion: { if case .failure(let error) = $0 { ends.append(error is DecodingError) } },
                receiveValue: { rolls.append($0) })
        }
        decode(data)
        decode(Data("no".utf8))
        #expect(rolls == [Roll(face: 6)] && ends == [true])
        var encoded: [Data] = []
        _ = Just(Roll(face: 6)).encode(encoder: JSONEncoder()).sink(
            receiveCompletion: { _ in }, receiveValue: { encoded.append($0) })
        #expect(encoded == [data])
    }

    @Test("Values of two or three publishers are paired in order, and the pairs end with the shorter one")
    func zip() {
        let (one, other) = (PassthroughSubject<Int, Broken>(), PassthroughSubject<String, Broken>())
        var seen: [String] = []
        let task = one.zip(other) { "\($0)\($1)" }.sink(
            receiveCompletion: { seen.append("\($0)") }, receiveValue: { seen.append($0) })
        one.send(1)
        one.send(2)
        other.send("a")
        one.send(completion: .finished)
        #expect(seen == ["1a"], "2 still waits")
        other.send("b")
        #expect(seen == ["1a", "2b", "finished"])
        other.send("c")
        #expect(seen.count == 3)
        var failed: [String] = []
        let broken = PassthroughSubject<Int, Broken>()
        let second = broken.zip(Just(1).setFailureType(to: Broken.self)).sink(
            receiveCompletion: { failed.append("\($0)") }, receiveValue: { _ in failed.append("no") })
        broken.send(completion: .failure(Broken()))
        #expect(failed == ["failure(CombineTests.FoundationPublisherTests.Broken())"] || failed.count == 1)
        var triples: [String] = []
        let third = [1, 2].publisher.zip(["a", "b"].publisher, [true, false, true].publisher).sink {
            triples.append("\($0)\($1)\($2)")
        }
        #expect(triples == ["1atrue", "2bfalse"])
        withExtendedLifetime((task, second, third)) {}
    }

    @Test("A failed publisher is tried again, as often as asked for")
    func retried() {
        var (tries, results) = (0, [String]())
        let failing = Deferred { () -> AnyPublisher<Int, Broken> in
            tries += 1
            return tries < 3
                ? Fail(error: Broken()).eraseToAnyPublisher()
                : Just(7).setFailureType(to: Broken.self).eraseToAnyPublisher()
        }
        func run(_ retries: Int) {
            tries = 0
            _ = failing.retry(retries).sink(
                receiveCompletion: { if case .failure = $0 { results.append("failed") } },
                receiveValue: { results.append("\($0)") })
        }
        run(1)
        #expect(results == ["failed"] && tries == 2)
        run(2)
        #expect(results == ["failed", "7"] && tries == 3)
    }

    @Test("Publishers that are made of values run one after the other, if so many are allowed")
    func oneAfterTheOther() {
        let inner = (0..<3).map { _ in PassthroughSubject<String, Never>() }
        var (begun, seen, hasEnded) = ([Int](), [String](), false)
        let task = [0, 1, 2].publisher.flatMap(maxPublishers: .max(1)) { number in
            begun.append(number)
            return inner[number]
        }.sink(receiveCompletion: { _ in hasEnded = true }, receiveValue: { seen.append($0) })
        #expect(begun == [0])
        inner[1].send("early")
        inner[0].send("a")
        inner[0].send(completion: .finished)
        #expect(begun == [0, 1])
        inner[1].send("b")
        inner[1].send(completion: .finished)
        inner[2].send("c")
        #expect(!hasEnded)
        inner[2].send(completion: .finished)
        #expect(seen == ["a", "b", "c"] && hasEnded)
        withExtendedLifetime(task) {}
    }

    @Test("Operators over all values")
    func gathered() {
        let numbers = [3, 1, 2].publisher
        var seen: [String] = []
        func note<P: Publisher>(_ publisher: P) {
            _ = publisher.sink(
                receiveCompletion: { if case .failure(let error) = $0 { seen.append("\(error)") } },
                receiveValue: { seen.append("\($0)") })
        }
        note(numbers.count())
        note(numbers.max())
        note(numbers.min())
        note(numbers.contains(2))
        note(numbers.contains(9))
        note(numbers.allSatisfy { $0 > 0 })
        note(numbers.allSatisfy { $0 > 1 })
        note(numbers.output(at: 1))
        note(numbers.output(in: 1...).collect())
        note(numbers.collect(2))
        note(numbers.last { $0 > 1 })
        note([Int]().publisher.replaceEmpty(with: 9))
        note([1, nil].publisher.replaceNil(with: 0).collect())
        #expect(
            seen == [
                "3", "3", "1", "true", "false", "true", "false", "1", "[1, 2]", "[3, 1]", "[2]", "2", "9", "[1, 0]",
            ])
        seen = []
        note(numbers.tryScan(0) { sum, next in if next == 2 { throw Broken() } else { sum + next } })
        note(numbers.tryReduce(0, +))
        note(Fail<Int, Broken>(error: Broken()).tryCatch { _ in Just(5).setFailureType(to: Broken.self) })
        note(Fail<Int, Broken>(error: Broken()).tryCatch { error -> Just<Int> in throw error })
        note(numbers.setFailureType(to: Broken.self).assertNoFailure().first())
        note(numbers.merge(with: [4].publisher, [5].publisher).collect())
        note(Just((1, "a")).map(\.0, \.1))
        note(Just(1).combineLatest(Just(2)) { $0 + $1 })
        note(Just(1).combineLatest(Just(2), Just(3)))
        #expect(
            seen == [
                "3", "4", "Broken()", "6", "5", "Broken()", "3", "[3, 1, 2, 4, 5]", "(1, \"a\")", "3", "(1, 2, 3)",
            ])
        var sunk: [Int] = []
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { sunk.append($0) })
        numbers.subscribe(sink)
        #expect(sunk == [3, 1, 2])
    }
}
