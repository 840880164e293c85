import Foundation
import Synchronization

// The calls of Foundation that take a selector, which Foundation on Linux lacks. Source: Foundation, NSObject.

/// The pending calls of `perform(_:with:afterDelay:)`.
private let delayed = Mutex<[UUID: DelayedCall]>([:])

private struct DelayedCall: Sendable {
    let target: ObjectIdentifier
    let selector: String
}

/// A call that crosses to the main queue: Objective-C's runtime sends any object as well.
private struct Call: @unchecked Sendable {
    let target: AnyObject
    let selector: Selector
    let argument: Any?
}

/// Whether this is the main queue or the main thread. In a program of unit tests these are not the same.
private var isOnMainQueue: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) != nil }
private let mainQueueKey = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()

extension NSObjectProtocol {
    /// Whether the object has the method.
    public func responds(to aSelector: Selector?) -> Bool { aSelector?.isUnderstood(by: self) ?? false }

    /// Calls the method now.
    public func perform(_ aSelector: Selector) { aSelector.perform(on: self) }

    /// Calls the method now, with one argument.
    public func perform(_ aSelector: Selector, with object: Any?) { aSelector.perform(on: self, with: object) }
}

extension NSObject {
    /// Calls the method on this thread's run loop after a time in seconds. A thread of a queue has no running loop, except
    /// for the main queue's: nothing is called there, as on an iPhone.
    public func perform(_ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval) {
        let id = UUID()
        let call = Call(target: self, selector: aSelector, argument: anArgument)
        delayed.withLock {
            $0[id] = DelayedCall(target: ObjectIdentifier(self), selector: aSelector.description)
        }
        let body: @Sendable () -> Void = {
            guard delayed.withLock({ $0.removeValue(forKey: id) }) != nil else { return }
            call.selector.perform(on: call.target, with: call.argument)
        }
        if isOnMainQueue {
            DispatchQueue.main.asyncAfter(deadline: .now() + max(0, delay), execute: body)
        } else {
            RunLoop.current.add(Timer(timeInterval: max(0, delay), repeats: false) { _ in body() }, forMode: .default)
        }
    }

    /// Calls the method on the main queue; with `waitUntilDone`, returns after it.
    public func performSelector(onMainThread aSelector: Selector, with arg: Any?, waitUntilDone wait: Bool) {
        let call = Call(target: self, selector: aSelector, argument: arg)
        if wait, Thread.isMainThread {
            call.selector.perform(on: call.target, with: call.argument)
        } else if wait {
            DispatchQueue.main.sync { call.selector.perform(on: call.target, with: call.argument) }
        } else {
            DispatchQueue.main.async { call.selector.perform(on: call.target, with: call.argument) }
        }
    }

    /// Drops all calls that ``perform(_:with:afterDelay:)`` still has to make for an object.
    public class func cancelPreviousPerformRequests(withTarget aTarget: Any) {
        let target = ObjectIdentifier(aTarget as AnyObject)
        delayed.withLock { calls in calls = calls.filter { $0.value.target != target } }
    }

    /// Drops the calls of one method that ``perform(_:with:afterDelay:)`` still has to make for an object. The argument
    /// is not compared.
    public class func cancelPreviousPerformRequests(
        withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
    ) {
        let target = ObjectIdentifier(aTarget as AnyObject)
        delayed.withLock { calls in
            calls = calls.filter { $0.value.target != target || $0.value.selector != aSelector.description }
        }
    }
}
