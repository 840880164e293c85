import Synchronization

/// Where values are delivered. Source: Combine, Scheduler.
public protocol Scheduler {
    /// Runs the body later.
    func schedule(_ action: @escaping () -> Void)
    /// Runs the body after a time.
    func schedule(after interval: SchedulerStride, _ action: @escaping () -> Void)
}

/// A time that a scheduler waits. Source: Combine, SchedulerTimeIntervalConvertible.
public struct SchedulerStride: Sendable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    let seconds: Double

    public init(integerLiteral value: Int) { seconds = Double(value) }
    public init(floatLiteral value: Double) { seconds = value }
    private init(_ seconds: Double) { self.seconds = seconds }

    public static func seconds(_ value: Int) -> Self { Self(Double(value)) }
    public static func seconds(_ value: Double) -> Self { Self(value) }
    public static func milliseconds(_ value: Int) -> Self { Self(Double(value) / 1_000) }
    public static func microseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000) }
    public static func nanoseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000_000) }
}

/// What crosses to another queue: a scheduler runs any closure, as Apple's do.
private struct Action: @unchecked Sendable {
    let body: () -> Void
}

extension DispatchQueue: Scheduler {
    public func schedule(_ action: @escaping () -> Void) {
        let action = Action(body: action)
        async { action.body() }
    }

    public func schedule(after interval: SchedulerStride, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        asyncAfter(deadline: .now() + max(0, interval.seconds)) { action.body() }
    }
}

extension OperationQueue: Scheduler {
    public func schedule(_ action: @escaping () -> Void) {
        let action = Action(body: action)
        addOperation { action.body() }
    }

    public func schedule(after interval: SchedulerStride, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, interval.seconds)) {
            self.addOperation { action.body() }
        }
    }
}

/// The main run loop delivers on the main queue: a program whose main function is asynchronous has no run loop on Linux.
extension RunLoop: Scheduler {
    public func schedule(_ action: @escaping () -> Void) { DispatchQueue.main.schedule(action) }
    public func schedule(after interval: SchedulerStride, _ action: @escaping () -> Void) {
        DispatchQueue.main.schedule(after: interval, action)
    }
}

extension Publisher {
    /// Delivers values and the end elsewhere.
    public func receive<S: Scheduler>(on scheduler: S) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            (
                { value in
                    scheduler.schedule { _ = next.receive(value) }
                    return .none
                }, { completion in scheduler.schedule { next.receive(completion: completion) } }
            )
        }
    }

    /// Delivers values and the end after a time.
    public func delay<S: Scheduler>(for interval: SchedulerStride, scheduler: S) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            (
                { value in
                    scheduler.schedule(after: interval) { _ = next.receive(value) }
                    return .none
                }, { completion in scheduler.schedule(after: interval) { next.receive(completion: completion) } }
            )
        }
    }

    /// Gives a value when no other came for a time.
    public func debounce<S: Scheduler>(for dueTime: SchedulerStride, scheduler: S) -> AnyPublisher<Output, Failure> {
        operate { next, _ in
            let newest = Counter()
            return (
                { value in
                    let number = newest.count()
                    scheduler.schedule(after: dueTime) { if newest.value == number { _ = next.receive(value) } }
                    return .max(1)
                }, next.receive(completion:)
            )
        }
    }
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
