import Synchronization

// Operators that choose where, and when. Source: Combine, Publisher.

extension Publisher {
    /// Subscribes on a scheduler.
    public func subscribe<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { subscriber in scheduler.schedule(options: options) { self.receive(subscriber: subscriber) } }
    }

    /// Delivers values and the end on a scheduler.
    public func receive<S: Scheduler>(
        on scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            (
                { value in
                    scheduler.schedule(options: options) { _ = next.receive(value) }
                    return .none
                }, { completion in scheduler.schedule(options: options) { next.receive(completion: completion) } }
            )
        }
    }

    /// Delivers values and the end after a time. A tolerance is not used: nothing is late on purpose.
    public func delay<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            (
                { value in
                    scheduler.schedule(after: interval, options) { _ = next.receive(value) }
                    return .none
                },
                { completion in
                    scheduler.schedule(after: interval, options) { next.receive(completion: completion) }
                }
            )
        }
    }

    /// Gives a value when no other has come for a time.
    public func debounce<S: Scheduler>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            let newest = Counter()
            return (
                { value in
                    let number = newest.count()
                    scheduler.schedule(after: dueTime, options) {
                        if newest.value == number { _ = next.receive(value) }
                    }
                    return .max(1)
                }, next.receive(completion:)
            )
        }
    }

    /// Gives at most one value in each interval: the newest, or the first.
    public func throttle<S: Scheduler>(
        for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
    ) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            let waiting = Waiting<Output>()
            return (
                { value in
                    guard waiting.keep(value, replacing: latest) else { return .max(1) }
                    scheduler.schedule(after: waiting.pause(interval, since: scheduler.now), nil) {
                        if let value = waiting.take(at: scheduler.now) { _ = next.receive(value) }
                    }
                    return .max(1)
                }, next.receive(completion:)
            )
        }
    }

    /// Ends if no value came for a time: normally, or with an error.
    public func timeout<S: Scheduler>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Failure)? = nil
    ) -> AnyPublisher<Output, Failure> {
        operate { next, tie in
            let newest = Counter()
            let isOver = Counter()
            func watch() {
                let number = newest.count()
                scheduler.schedule(after: interval, options) {
                    guard newest.value == number, isOver.count() == 1 else { return }
                    tie.cancel()
                    next.receive(completion: customError.map { .failure($0()) } ?? .finished)
                }
            }
            watch()
            return (
                { value in
                    guard isOver.value == 0 else { return .none }
                    watch()
                    return next.receive(value)
                }, { completion in if isOver.count() == 1 { next.receive(completion: completion) } }
            )
        }
    }
}

extension Scheduler {
    fileprivate func schedule(
        after interval: SchedulerTimeType.Stride, _ options: SchedulerOptions?, _ action: @escaping () -> Void
    ) { schedule(after: now.advanced(by: interval), tolerance: minimumTolerance, options: options, action) }
}

/// Counts from 1, on any thread.
private final class Counter: Sendable {
    private let last = Mutex(0)
    var value: Int { last.withLock { $0 } }
    func count() -> Int {
        last.withLock {
            $0 += 1
            return $0
        }
    }
}

/// The value that is given next, and when the last one was given. The moments are those of one scheduler.
private final class Waiting<Value>: @unchecked Sendable {  // The lock is held wherever the state is touched.
    private let lock = NSLock()
    private var value: Value?
    private var given: Any?

    /// Whether nothing waited before.
    func keep(_ new: Value, replacing isReplaced: Bool) -> Bool {
        lock.withLock {
            defer { if value == nil || isReplaced { value = new } }
            return value == nil
        }
    }

    /// How long to wait: until an interval has passed since a value was given.
    func pause<Moment: Strideable>(_ interval: Moment.Stride, since now: Moment) -> Moment.Stride {
        guard let given = lock.withLock({ given }) as? Moment else { return .zero }
        let passed = given.distance(to: now)
        return passed < interval ? interval - passed : .zero
    }

    func take(at now: Any) -> Value? {
        lock.withLock {
            defer { (value, given) = (nil, now) }
            return value
        }
    }
}
