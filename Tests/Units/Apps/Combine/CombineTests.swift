import Combine
import Foundation
import Synchronization
import Testing

/// A model as apps have it.
private class Model: ObservableObject {
    @Published var face = 1
}

private final class Larger: Model {
    @Published var name = "Die"
}

private struct Broken: Error, Equatable {}

private func text<Failure>(_ completion: Subscribers.Completion<Failure>) -> String {
    if case .failure(let error) = completion { "\(error)" } else { "finished" }
}

/// The part of Combine that apps use beside their accessories.
@Suite("Combine")
struct CombineTests {
    @Test("A subject gives values to those who have subscribed, until they cancel or it ends")
    func passthrough() {
        let subject = PassthroughSubject<Int, Broken>()
        var seen: [String] = []
        subject.send(0)
        var tasks: Set<AnyCancellable> = []
        subject.sink(receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") }).store(
            in: &tasks)
        let short = subject.sink(receiveCompletion: { _ in seen.append("no") }, receiveValue: { seen.append("b\($0)") })
        subject.send(1)
        short.cancel()
        subject.send(2)
        subject.send(completion: .failure(Broken()))
        subject.send(3)
        #expect(seen == ["1", "b1", "2", "Broken()"] || seen == ["b1", "1", "2", "Broken()"])
        var late: [String] = []
        _ = subject.sink(receiveCompletion: { late.append(text($0)) }, receiveValue: { _ in late.append("no") })
        #expect(late == ["Broken()"])
    }

    @Test("A current value comes first; a released subscription ends")
    func current() {
        let subject = CurrentValueSubject<Int, Never>(7)
        var seen: [Int] = []
        do {
            let task = subject.sink { seen.append($0) }
            subject.value = 8
            subject.send(9)
            withExtendedLifetime(task) {}
        }
        subject.send(10)
        #expect(seen == [7, 8, 9] && subject.value == 10)
    }

    @Test("Operators give what they are named for")
    func operators() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        let tasks = [
            subject.map { $0 * 2 }.filter { $0 > 2 }.sink { seen.append("map \($0)") },
            subject.compactMap { $0 == 2 ? nil : $0 }.removeDuplicates().dropFirst().sink { seen.append("last \($0)") },
            subject.prefix(2).sink(
                receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("first \($0)") }),
            subject.first { $0 == 3 }.sink { seen.append("three \($0)") },
        ]
        for value in [1, 1, 2, 3] { subject.send(value) }
        withExtendedLifetime(tasks) {}
        #expect(
            seen.sorted() == ["end", "first 1", "first 1", "last 3", "map 4", "map 6", "three 3"])
    }

    @Test("An error ends, is replaced, or is caught")
    func errors() {
        let failing = Just(1).setFailureType(to: Broken.self).tryMap { _ -> Int in throw Broken() }
        var seen: [String] = []
        _ = failing.sink(receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        _ = failing.replaceError(with: 5).sink { seen.append("\($0)") }
        _ = failing.catch { _ in Just(6) }.sink { seen.append("\($0)") }
        _ = Fail<Int, Broken>(error: Broken()).mapError { _ in CancellationError() }.sink(
            receiveCompletion: { seen.append(text($0)) }, receiveValue: { _ in })
        #expect(seen == ["Broken()", "5", "6", "CancellationError()"])
    }

    @Test("Several publishers are merged, combined and flattened, and end with the last")
    func several() {
        let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var seen: [String] = []
        let tasks = [
            one.merge(with: other).sink(
                receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("m\($0)") }),
            one.combineLatest(other).sink { seen.append("c\($0.0)\($0.1)") },
            one.flatMap { Just($0 + 10) }.sink { seen.append("f\($0)") },
        ]
        one.send(1)
        other.send(2)
        one.send(3)
        one.send(completion: .finished)
        #expect(!seen.contains("end"))
        other.send(completion: .finished)
        withExtendedLifetime(tasks) {}
        #expect(seen.sorted() == ["c12", "c32", "end", "f11", "f13", "m1", "m2", "m3"])
    }

    @Test("Of publishers that replace each other the newest is heard, and the end is that of all")
    func latest() {
        let publishers = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
        let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
        var seen: [String] = []
        let task = publishers.switchToLatest().sink(
            receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append("\($0)") })
        publishers.send(one)
        one.send(1)
        publishers.send(other)
        one.send(2)
        other.send(3)
        one.send(completion: .finished)
        publishers.send(completion: .finished)
        other.send(4)
        #expect(seen == ["1", "3", "4"])
        other.send(completion: .finished)
        withExtendedLifetime(task) {}
        #expect(seen == ["1", "3", "4", "end"])
    }

    @Test("A publisher that was replaced has no subscription any more, and none stays after a cancellation")
    func replaced() {
        let publishers = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
        var cancelled: [String] = []
        func silent(_ name: String) -> AnyPublisher<Int, Never> {
            PassthroughSubject<Int, Never>().handleEvents(receiveCancel: { cancelled.append(name) })
        }
        let task = publishers.switchToLatest().sink { _ in }
        publishers.send(silent("one"))
        publishers.send(silent("other"))
        #expect(cancelled == ["one"])
        task.cancel()
        #expect(cancelled == ["one", "other"])
    }

    @Test("An object tells before a published property changes, its subclass's as well")
    func observable() {
        let model = Larger()
        var seen: [String] = []
        let tasks = [
            model.objectWillChange.sink { seen.append("change \(model.face) \(model.name)") },
            model.$face.sink { seen.append("face \($0) of \(model.face)") },
        ]
        model.face = 2
        model.name = "Lamp"
        withExtendedLifetime(tasks) {}
        #expect(seen == ["face 1 of 1", "change 1 Die", "face 2 of 1", "change 2 Die"] && model.name == "Lamp")
    }

    @Test("A future's promise may come later, from any thread")
    func future() async {
        var promise: Future<Int, Never>.Promise?
        let future = Future<Int, Never> { promise = $0 }
        var seen: [Int] = []
        let task = future.sink { seen.append($0) }
        promise?(.success(4))
        promise?(.success(5))
        withExtendedLifetime(task) {}
        #expect(seen == [4])
        var later: [Int] = []
        for await value in future.values { later.append(value) }
        #expect(later == [4])
    }

    @Test("Values are delivered on a queue, in order, and as notifications")
    func queues() async {
        let subject = PassthroughSubject<Int, Never>()
        let queue = DispatchQueue(label: "test")
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let task = subject.receive(on: queue).sink { value in
                dispatchPrecondition(condition: .onQueue(queue))
                seen.withLock { $0.append(value) }
                if value == 3 { done.resume() }
            }
            for value in 1...3 { subject.send(value) }
            queue.sync { withExtendedLifetime(task) {} }
        }
        #expect(seen.withLock { $0 } == [1, 2, 3])
        let name = Notification.Name("combine-test-\(UUID())")
        var names: [Notification.Name] = []
        let task = NotificationCenter.default.publisher(for: name).sink { names.append($0.name) }
        NotificationCenter.default.post(name: name, object: nil)
        task.cancel()
        NotificationCenter.default.post(name: name, object: nil)
        #expect(names == [name])
    }

    @Test("Publishers of several publishers give what the operators give")
    func publishersOfSeveral() {
        let (one, other, third) = (
            PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()
        )
        var (merged, all, many, pairs, triples) = ([Int](), [Int](), [Int](), [String](), [String]())
        var tasks: Set<AnyCancellable> = []
        Publishers.Merge(one, other).sink { merged.append($0) }.store(in: &tasks)
        Publishers.Merge3(one, other, third).sink { all.append($0) }.store(in: &tasks)
        Publishers.MergeMany(one, other, third).sink { many.append($0) }.store(in: &tasks)
        Publishers.CombineLatest(one, other).sink { pairs.append("\($0) \($1)") }.store(in: &tasks)
        Publishers.CombineLatest3(one, other, third).sink { triples.append("\($0) \($1) \($2)") }.store(in: &tasks)
        for (subject, value) in [(one, 1), (other, 2), (third, 3), (one, 4)] { subject.send(value) }
        #expect(merged == [1, 2, 4] && all == [1, 2, 3, 4] && many == all)
        #expect(pairs == ["1 2", "4 2"] && triples == ["1 2 3", "4 2 3"])
    }

    @Test("A connectable publisher begins when it is connected, and an autoconnected one with its first subscriber")
    func connectable() {
        let subject = PassthroughSubject<Int, Never>()
        let connectable = subject.map { $0 * 2 }.makeConnectable()
        var (first, second, automatic) = ([Int](), [Int](), [Int]())
        var tasks: Set<AnyCancellable> = []
        connectable.sink { first.append($0) }.store(in: &tasks)
        connectable.sink { second.append($0) }.store(in: &tasks)
        subject.send(1)
        let connection = connectable.connect()
        subject.send(2)
        connection.cancel()
        subject.send(3)
        #expect(first == [4] && second == [4])
        var starts = 0
        let shared = subject.handleEvents(receiveSubscription: { _ in starts += 1 }).multicast { PassthroughSubject() }
            .autoconnect()
        let one = shared.sink { automatic.append($0) }
        let other = shared.sink { automatic.append($0 + 100) }
        subject.send(4)
        one.cancel()
        subject.send(5)
        other.cancel()
        subject.send(6)
        #expect(automatic.sorted() == [4, 104, 105] && starts == 1)
    }

    @Test("Operators that the app's own error ends, and those that end early or at the end")
    func trying() {
        var (seen, ends) = ([String](), [String]())
        func watch<P: Publisher>(_ publisher: P) {
            _ = publisher.sink(receiveCompletion: { ends.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        }
        func numbers() -> AnyPublisher<Int, Never> { [1, 2, 3, 4].publisher.eraseToAnyPublisher() }
        watch(numbers().tryFilter { if $0 == 3 { throw Broken() } else { $0 > 1 } })
        watch(numbers().tryFirst { $0 > 2 })
        watch(numbers().tryCompactMap { $0 == 2 ? "two" : nil })
        #expect(seen == ["2", "3", "two"] && ends == ["Broken()", "finished", "finished"])
        (seen, ends) = ([], [])
        watch(numbers().prefix { $0 < 3 })
        watch(numbers().drop { $0 < 3 })
        watch(numbers().scan(0, +))
        watch(numbers().reduce(0, +))
        watch(numbers().collect())
        watch(numbers().last())
        watch(numbers().ignoreOutput())
        #expect(seen == ["1", "2", "3", "4", "1", "3", "6", "10", "10", "[1, 2, 3, 4]", "4"])
        #expect(ends == Array(repeating: "finished", count: 7))
    }

    @Test("A subscription is told from another, and an object's identity stays")
    func identifiers() {
        let object = Model()
        #expect(CombineIdentifier(object) == CombineIdentifier(object) && CombineIdentifier() != CombineIdentifier())
    }

    @Test("A publisher ends with the first value of another, and before that gives all its own")
    func untilOther() {
        let (subject, end) = (PassthroughSubject<Int, Broken>(), PassthroughSubject<Void, Never>())
        var seen: [String] = []
        let task = subject.prefix(untilOutputFrom: end).sink(
            receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        subject.send(1)
        end.send()
        subject.send(2)
        #expect(seen == ["1", "finished"])
        withExtendedLifetime(task) {}
    }

    @Test("A subscriber who has enough cancels the publisher before")
    func untilOtherCancelled() {
        let (subject, end) = (PassthroughSubject<Int, Broken>(), PassthroughSubject<Void, Never>())
        var cancelled = 0
        let task = subject.handleEvents(receiveCancel: { cancelled += 1 }).prefix(untilOutputFrom: end).sink(
            receiveCompletion: { _ in }, receiveValue: { _ in })
        task.cancel()
        #expect(cancelled == 1)
    }

    @Test("A result and an optional are publishers of what they hold")
    func resultsAndOptionals() {
        var seen: [String] = []
        func watch<P: Publisher>(_ publisher: P) {
            _ = publisher.sink(receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        }
        watch(Result<Int, Broken>.Publisher(.failure(Broken())))
        watch(Result<Int, Broken>.success(1).publisher)
        watch(Int?.some(2).publisher)
        watch(Int?.none.publisher)
        #expect(seen == ["Broken()", "1", "finished", "2", "finished", "finished"])
    }

    /// A subscriber that asks for values when the test says so.
    private final class Asking: Subscriber {
        var subscription: (any Subscription)?
        var seen: [String] = []
        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Int) -> Subscribers.Demand {
            seen.append("\(input)")
            return .none
        }
        func receive(completion: Subscribers.Completion<Broken>) { seen.append(text(completion)) }
    }

    @Test(
        "A buffer keeps values until they are asked for, and a full one does as it is told",
        arguments: [(0, ["1", "2", "finished"]), (1, ["2", "3", "finished"]), (2, ["1", "2", "Broken()"])])
    func buffer(_ strategy: Int, _ expected: [String]) {
        let subject = PassthroughSubject<Int, Broken>()
        let whenFull: [Publishers.BufferingStrategy<Broken>] = [.dropNewest, .dropOldest, .customError { Broken() }]
        let asking = Asking()
        subject.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull[strategy]).subscribe(asking)
        for value in 1...3 { subject.send(value) }
        subject.send(completion: .finished)
        #expect(asking.seen.isEmpty)
        asking.subscription?.request(.max(1))
        #expect(asking.seen == Array(expected.prefix(1)))
        asking.subscription?.request(.unlimited)
        #expect(asking.seen == expected)
    }

    @Test("A value that could end with an error is given at once")
    func just() {
        var seen: [String] = []
        let publisher: Result<Int, Broken>.Publisher = Just(1).setFailureType(to: Broken.self)
        _ = publisher.sink(receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        #expect(seen == ["1", "finished"])
    }

    @Test("Demands count up and down, and an unlimited one stays so")
    func demands() {
        var demand = Subscribers.Demand.none
        demand += 2
        #expect(demand == 2 && demand + 1 == 3 && demand - 5 == 0 && demand * 3 == 6 && demand != .unlimited)
        #expect(demand - .unlimited == .none && .unlimited - demand == .unlimited && .unlimited + 1 == .unlimited)
        #expect(demand > 1 && demand >= 2 && demand < 3 && demand <= 2 && demand < .unlimited && .unlimited > demand)
        #expect(!(Subscribers.Demand.unlimited < 1000) && Subscribers.Demand.unlimited * 2 == .unlimited)
    }

    /// Keeps what is written.
    private final class Page: TextOutputStream {
        var text = ""
        func write(_ string: String) { text += string }
    }

    @Test("A printed publisher writes a line for each event")
    func printing() {
        let (subject, page) = (PassthroughSubject<Int, Broken>(), Page())
        let task = subject.print("lamp", to: page).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        subject.send(7)
        subject.send(completion: .failure(Broken()))
        withExtendedLifetime(task) {}
        let lines = page.text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("lamp: receive subscription: (") == true)
        #expect(
            lines.dropFirst() == [
                "lamp: request unlimited", "lamp: receive value: (7)", "lamp: receive error: (Broken())",
            ])
        let other = Page()
        subject.print(to: other).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
        #expect(other.text.hasPrefix("receive subscription: ("))
    }

    @Test("Values may stand before and after a publisher's own, and are given as they are asked for")
    func concatenated() {
        var seen: [String] = []
        let task = [3, 4].publisher.prepend(1, 2).append(5).append([6].publisher).sink(
            receiveCompletion: { seen.append(text($0)) }, receiveValue: { seen.append("\($0)") })
        #expect(seen == ["1", "2", "3", "4", "5", "6", "finished"])
        withExtendedLifetime(task) {}
        let (subject, asking) = (PassthroughSubject<Int, Broken>(), Asking())
        subject.prepend([1, 2]).subscribe(asking)
        asking.subscription?.request(.max(1))
        #expect(asking.seen == ["1"])
        asking.subscription?.request(.max(2))
        subject.send(3)
        subject.send(4)
        #expect(asking.seen == ["1", "2", "3"])
        asking.subscription?.cancel()
        subject.send(completion: .finished)
        #expect(asking.seen.count == 3)
    }

    @Test("A loop over the values of a publisher throws its error")
    func throwingValues() async {
        var seen: [Int] = []
        let publisher = [1, 2].publisher.setFailureType(to: Broken.self).append(Fail(error: Broken()))
        await #expect(throws: Broken.self) { for try await value in publisher.values { seen.append(value) } }
        #expect(seen == [1, 2])
    }
}

@Suite("Combine's operators that choose where and when", .timeLimit(.minutes(1)))
struct SchedulingTests {
    private struct Late: Error, Equatable {}

    /// A scheduler whose clock a test turns.
    private final class ManualScheduler: Scheduler {
        typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
        typealias SchedulerOptions = Never
        private(set) var now = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1_000_000_000))
        var minimumTolerance: SchedulerStride { 0 }
        private var waiting: [(SchedulerTimeType, () -> Void)] = []

        func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

        func schedule(
            after date: SchedulerTimeType, tolerance: SchedulerStride, options: Never?, _ action: @escaping () -> Void
        ) { waiting.append((date, action)) }

        func advance(by stride: SchedulerStride) {
            let end = now.advanced(by: stride)
            while let next = waiting.indices.filter({ waiting[$0].0 <= end }).min(by: { waiting[$0].0 < waiting[$1].0 })
            {
                let (date, action) = waiting.remove(at: next)
                now = max(now, date)
                action()
            }
            now = end
        }
    }

    /// What came of a publisher.
    private final class Heard {
        var values: [Int] = []
        var end: String?
        var tie: AnyCancellable?

        init<P: Publisher>(_ publisher: P) where P.Output == Int {
            tie = publisher.sink(
                receiveCompletion: { [unowned self] in end = "\($0)" },
                receiveValue: { [unowned self] in values.append($0) })
        }
    }

    @Test("A timeout counts from each value, and ends well or with an error; a value in time keeps it open")
    func timeouts() {
        let (clock, subject) = (ManualScheduler(), PassthroughSubject<Int, any Error>())
        let failing = Heard(subject.timeout(.seconds(5), scheduler: clock, customError: { Late() }))
        let ending = Heard(subject.timeout(5, scheduler: clock))
        clock.advance(by: .seconds(4))
        subject.send(1)
        clock.advance(by: .seconds(4))
        #expect(failing.end == nil && ending.end == nil)
        clock.advance(by: .milliseconds(1100))
        #expect(failing.end?.contains("Late") == true && ending.end == "finished")
        subject.send(2)
        #expect(failing.values == [1] && ending.values == [1])
    }

    @Test("What has ended is not too late afterwards")
    func ended() {
        let (clock, subject) = (ManualScheduler(), PassthroughSubject<Int, any Error>())
        let heard = Heard(subject.timeout(5, scheduler: clock, customError: { Late() }))
        subject.send(completion: .finished)
        clock.advance(by: 60)
        #expect(heard.end == "finished")
    }

    @Test("A throttle gives the first value at once, then the newest or the first of each interval")
    func throttles() {
        let (clock, subject) = (ManualScheduler(), PassthroughSubject<Int, Never>())
        let newest = Heard(subject.throttle(for: .seconds(10), scheduler: clock, latest: true))
        let first = Heard(subject.throttle(for: .seconds(10), scheduler: clock, latest: false))
        for value in 1...9 {
            subject.send(value)
            clock.advance(by: .seconds(3))
        }
        clock.advance(by: .seconds(30))
        #expect(newest.values == [1, 4, 7, 9])
        #expect(first.values == [1, 2, 5, 8])
    }

    @Test("A delay and a debounce use the scheduler's clock")
    func delays() {
        let (clock, subject) = (ManualScheduler(), PassthroughSubject<Int, Never>())
        let late = Heard(subject.delay(for: .milliseconds(500), scheduler: clock))
        let calm = Heard(subject.debounce(for: .seconds(1), scheduler: clock))
        subject.send(1)
        clock.advance(by: .milliseconds(400))
        #expect(late.values == [])
        clock.advance(by: .milliseconds(200))
        subject.send(2)
        clock.advance(by: .seconds(2))
        #expect(late.values == [1, 2] && calm.values == [2])
    }

    @Test("A scheduler repeats until it is told to stop, and the immediate one does not wait")
    func repeating() {
        let clock = ManualScheduler()
        var count = 0
        let tie = clock.schedule(after: clock.now.advanced(by: 1), interval: .seconds(2)) { count += 1 }
        clock.advance(by: 6)
        #expect(count == 3)
        tie.cancel()
        clock.advance(by: 6)
        #expect(count == 3)
        let heard = Heard(
            [1, 2].publisher.subscribe(on: ImmediateScheduler.shared).receive(on: ImmediateScheduler.shared))
        #expect(heard.values == [1, 2] && heard.end == "finished")
    }

    @Test("Moments and lengths of time can be computed with")
    func times() {
        let queue = DispatchQueue(label: "test")
        let later = queue.now.advanced(by: .seconds(2.5))
        #expect(queue.now.distance(to: later) > 2 && queue.now < later)
        let stride: DispatchQueue.SchedulerTimeType.Stride = .milliseconds(1500)
        #expect(stride + 0.5 == .seconds(2) && stride.timeInterval == 1.5 && -stride < 0)
        #expect(OperationQueue.main.now.advanced(by: 1) > OperationQueue.main.now)
    }
}
