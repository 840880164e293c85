import Foundation

// The timers that call a method. Source: Foundation, Timer.

extension Timer {
    /// A timer that calls a method of an object on this thread's run loop, and keeps the object. A thread of a queue has no
    /// running loop, except for the main queue's: the timer never fires there, as on an iPhone.
    ///
    /// - Parameters:
    ///   - ti: Seconds until the call, and between calls.
    ///   - aTarget: The object; it must not be nil.
    ///   - aSelector: A method without parameters, or with the timer as its one parameter.
    ///   - userInfo: The value that the timer carries.
    ///   - yesOrNo: Whether it repeats until it is invalidated.
    public class func scheduledTimer(
        timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?,
        repeats yesOrNo: Bool
    ) -> Timer {
        let call = TimerCall(target: aTarget as AnyObject, selector: aSelector)
        let timer = CarryingTimer(carrying: userInfo, every: ti, repeats: yesOrNo) {
            call.selector.perform(on: call.target, with: $0)
        }
        RunLoop.current.add(timer, forMode: .default)
        return timer
    }

    /// A timer that calls a method of an object, which it keeps, once it is added to a run loop. `AppleSources` writes this
    /// where an app has `Timer(timeInterval:target:selector:userInfo:repeats:)`.
    ///
    /// - Parameter userInfo: The value that the timer carries.
    public class func unscheduled(
        timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector, userInfo: Any?,
        repeats yesOrNo: Bool
    ) -> Timer {
        let call = TimerCall(target: aTarget as AnyObject, selector: aSelector)
        return CarryingTimer(carrying: userInfo, every: ti, repeats: yesOrNo) {
            call.selector.perform(on: call.target, with: $0)
        }
    }
}

/// A timer with the app's value.
private final class CarryingTimer: Timer {
    private let carried: Any?

    init(
        carrying userInfo: Any?, every interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) {
        carried = userInfo
        super.init(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: repeats, block: block)
    }

    override var userInfo: Any? { carried }
}

/// A call that crosses to the run loop: Objective-C's runtime sends any object as well.
private struct TimerCall: @unchecked Sendable {
    let target: AnyObject
    let selector: Selector
}
