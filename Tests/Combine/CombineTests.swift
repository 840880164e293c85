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
}
