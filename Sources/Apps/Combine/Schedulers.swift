import HILFoundation
import Synchronization

// Where and when values are delivered. Source: Combine, Scheduler.

/// A length of time, in one of its units.
public protocol SchedulerTimeIntervalConvertible {
    static func seconds(_ value: Int) -> Self
    static func seconds(_ value: Double) -> Self
    static func milliseconds(_ value: Int) -> Self
    static func microseconds(_ value: Int) -> Self
    static func nanoseconds(_ value: Int) -> Self
}

/// Something that runs closures, now or later.
public protocol Scheduler<SchedulerTimeType> {
    /// A moment, by the scheduler's clock.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    /// Further options for running a closure; none here.
    associatedtype SchedulerOptions

    var now: SchedulerTimeType { get }
    /// The least tolerance for a late closure.
    var minimumTolerance: SchedulerTimeType.Stride { get }

    /// Runs the body as soon as possible.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
    /// Runs the body at a moment.
    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void)
    /// Runs the body at a moment, and again and again after each interval, until the result is cancelled.
    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }

    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) { schedule(after: date, tolerance: tolerance, options: nil, action) }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let ending = Ending()
        repeatedly(at: date, interval, ending, action)
        return AnyCancellable { ending.end() }
    }

    private func repeatedly(
        at date: SchedulerTimeType, _ interval: SchedulerTimeType.Stride, _ ending: Ending,
        _ action: @escaping () -> Void
    ) {
        schedule(after: date) {
            guard !ending.hasEnded else { return }
            action()
            repeatedly(at: date.advanced(by: interval), interval, ending, action)
        }
    }
}

/// Whether something has been ended, on any thread.
private final class Ending: Sendable {
    private let state = Mutex(false)
    var hasEnded: Bool { state.withLock { $0 } }
    func end() { state.withLock { $0 = true } }
}

/// A length of time of the schedulers below.
public struct SchedulerStride: Sendable, Hashable, Comparable, Codable, SignedNumeric, ExpressibleByFloatLiteral,
    SchedulerTimeIntervalConvertible
{
    let seconds: Double

    fileprivate init(_ seconds: Double) { self.seconds = seconds }
    public init(integerLiteral value: Int) { seconds = Double(value) }
    public init(floatLiteral value: Double) { seconds = value }
    public init?(exactly source: some BinaryInteger) {
        guard let seconds = Double(exactly: source) else { return nil }
        self.seconds = seconds
    }

    public static func seconds(_ value: Int) -> Self { Self(Double(value)) }
    public static func seconds(_ value: Double) -> Self { Self(value) }
    public static func milliseconds(_ value: Int) -> Self { Self(Double(value) / 1_000) }
    public static func microseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000) }
    public static func nanoseconds(_ value: Int) -> Self { Self(Double(value) / 1_000_000_000) }

    public var magnitude: Double { Swift.abs(seconds) }
    public var timeInterval: TimeInterval { seconds }
    public static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }
    public static func + (one: Self, other: Self) -> Self { Self(one.seconds + other.seconds) }
    public static func - (one: Self, other: Self) -> Self { Self(one.seconds - other.seconds) }
    public static func * (one: Self, other: Self) -> Self { Self(one.seconds * other.seconds) }
    public static func *= (one: inout Self, other: Self) { one = one * other }
}

/// A closure that crosses to another queue: a scheduler runs any closure, as Apple's do.
private struct Action: @unchecked Sendable {
    let body: () -> Void
}

extension DispatchQueue: Scheduler {
    /// A moment by the clock of Dispatch.
    public struct SchedulerTimeType: Strideable, Sendable, Hashable {
        public typealias Stride = SchedulerStride
        public var dispatchTime: DispatchTime

        public init(_ time: DispatchTime) { dispatchTime = time }

        public func distance(to other: Self) -> SchedulerStride {
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return SchedulerStride((Double(to) - Double(from)) / 1e9)
        }

        public func advanced(by stride: SchedulerStride) -> Self { Self(dispatchTime + stride.seconds) }

        public static func == (one: Self, other: Self) -> Bool { one.dispatchTime == other.dispatchTime }
        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.uptimeNanoseconds) }
    }

    /// How Dispatch runs a closure. Kept, and not used here.
    public struct SchedulerOptions {
        public var qos: DispatchQoS
        public var flags: DispatchWorkItemFlags

        public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = []) {
            (self.qos, self.flags) = (qos, flags)
        }
    }

    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        async { action.body() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Action(body: action)
        asyncAfter(deadline: date.dispatchTime) { action.body() }
    }
}

/// A moment by the calendar, for schedulers without a clock.
public struct SchedulerDate: Strideable, Sendable, Hashable {
    public typealias Stride = SchedulerStride
    public var date: Date

    public init(_ date: Date) { self.date = date }

    public func distance(to other: Self) -> SchedulerStride { SchedulerStride(other.date.timeIntervalSince(date)) }
    public func advanced(by stride: SchedulerStride) -> Self { Self(date + stride.seconds) }

    /// The same moment by the clock of Dispatch.
    fileprivate var dispatchTime: DispatchTime { .now() + max(0, date.timeIntervalSinceNow) }
}

extension OperationQueue: Scheduler {
    public typealias SchedulerTimeType = SchedulerDate
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerDate { SchedulerDate(Date()) }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let action = Action(body: action)
        addOperation { action.body() }
    }

    public func schedule(
        after date: SchedulerDate, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let action = Action(body: action)
        DispatchQueue.global().asyncAfter(deadline: date.dispatchTime) { self.addOperation { action.body() } }
    }
}

/// Delivers on the loop's thread. The main run loop delivers on the main queue, which a program without a main run loop,
/// such as one of unit tests, serves as well.
extension RunLoop: Scheduler {
    public typealias SchedulerTimeType = SchedulerDate
    /// There are no options.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerDate { SchedulerDate(Date()) }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        guard self !== RunLoop.main else { return DispatchQueue.main.schedule(action) }
        let action = Action(body: action)
        call(in: .default) { action.body() }
    }

    public func schedule(
        after date: SchedulerDate, tolerance: SchedulerStride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        guard self !== RunLoop.main else {
            return DispatchQueue.main.schedule(after: DispatchQueue.SchedulerTimeType(date.dispatchTime), action)
        }
        let action = Action(body: action)
        add(Timer(fire: date.date, interval: 0, repeats: false) { _ in action.body() }, forMode: .default)
    }
}

/// Runs everything at once, where it is asked to. It has no clock, so a delayed closure runs at once, too.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only moment there is.
    public struct SchedulerTimeType: Strideable, Sendable, Hashable {
        public func distance(to other: Self) -> SchedulerStride { 0 }
        public func advanced(by stride: SchedulerStride) -> Self { self }
    }

    public typealias SchedulerOptions = Never
    public static let shared = ImmediateScheduler()

    public var now: SchedulerTimeType { SchedulerTimeType() }
    public var minimumTolerance: SchedulerStride { 0 }

    public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerStride, options: Never?, _ action: @escaping () -> Void
    ) { action() }
}
