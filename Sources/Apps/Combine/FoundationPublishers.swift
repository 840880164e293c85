// The publishers that Foundation has on Apple's systems.

extension NotificationCenter {
    /// Gives each notification with a name. Source: Foundation, NotificationCenter.Publisher.
    public struct Publisher: Combine.Publisher, Equatable {
        public typealias Output = Notification
        public typealias Failure = Never

        public let center: NotificationCenter
        public let name: Notification.Name
        /// Only notifications of this sender; nil for any.
        public let object: AnyObject?

        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
            let subject = PassthroughSubject<Notification, Never>()
            nonisolated(unsafe) let sender = subject  // A subject may be used on any thread.
            let token = center.addObserver(forName: name, object: object, queue: nil) { sender.send($0) }
            nonisolated(unsafe) let observer: Any = token
            subject.onCancel(AnySubscriber(subscriber)) { center.removeObserver(observer, name: nil, object: nil) }
        }

        public static func == (one: Self, other: Self) -> Bool {
            one.center === other.center && one.name == other.name && one.object === other.object
        }
    }

    /// Gives each notification with a name.
    ///
    /// - Parameter object: Only notifications of this sender; nil for any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> Publisher {
        Publisher(center: self, name: name, object: object)
    }
}

extension Timer {
    /// Gives the time again and again, once it is connected. Source: Foundation, Timer.TimerPublisher.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never

        /// In seconds.
        public let interval: TimeInterval
        /// In seconds; nil for none.
        public let tolerance: TimeInterval?
        public let runLoop: RunLoop
        public let mode: RunLoop.Mode
        public let options: RunLoop.SchedulerOptions?
        private let subject = PassthroughSubject<Date, Never>()

        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            (self.interval, self.tolerance, self.runLoop) = (interval, tolerance, runLoop)
            (self.mode, self.options) = (mode, options)
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
            subject.receive(subscriber: subscriber)
        }

        /// Starts the timer, in its run loop. Cancel the result to end it.
        public func connect() -> any Cancellable {
            nonisolated(unsafe) let subject = subject  // A subject may be used on any thread.
            let timer = Timer(timeInterval: interval, repeats: true) { subject.send($0.fireDate) }
            if let tolerance { timer.tolerance = tolerance }
            runLoop.add(timer, forMode: mode)
            return AnyCancellable { timer.invalidate() }
        }
    }

    /// Gives the time again and again, once it is connected: `Timer.publish(every: 1, on: .main, in: .common).autoconnect()`.
    ///
    /// - Parameters:
    ///   - interval: In seconds.
    ///   - runLoop: It must run: the main one does.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
    }
}
