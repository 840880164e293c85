import Foundation
import Synchronization

// Observers by selector. Source: Foundation, NotificationCenter.

/// The observers that were added with a selector.
private let observers = Mutex<[SelectorObserver]>([])

private struct SelectorObserver: @unchecked Sendable {  // The token is only handed back to its centre.
    let center: ObjectIdentifier
    let observer: WeakObject
    let name: Notification.Name?
    let object: ObjectIdentifier?
    let token: any NSObjectProtocol
}

private final class WeakObject: @unchecked Sendable {  // Weak references may be read on any thread.
    weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
}

private struct ObserverCall: @unchecked Sendable {  // Objective-C's runtime sends any object as well.
    let observer: WeakObject
    let selector: Selector
}

extension NotificationCenter {
    /// Calls a method of an object for each notification, without keeping the object.
    ///
    /// - Parameter aSelector: A method without parameters, or with the `Notification` as its one parameter.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, selector aSelector: Selector, name aName: Notification.Name?, object anObject: Any?
    ) {
        let call = ObserverCall(observer: WeakObject(observer), selector: aSelector)
        let token = addObserver(forName: aName, object: anObject, queue: nil) { notification in
            guard let object = call.observer.object else { return }
            call.selector.perform(on: object, with: notification)
        }
        let added = SelectorObserver(
            center: ObjectIdentifier(self), observer: call.observer, name: aName,
            object: anObject.map { ObjectIdentifier($0 as AnyObject) }, token: token)
        observers.withLock { $0.append(added) }
        remove { $0.observer.object == nil }
    }

    /// Stops all calls for an observer.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer) {
        removeObserver(observer, name: nil, object: nil)
    }

    /// Stops the calls for an observer, of one notification and one sender; nil is any.
    public func removeObserver<Observer: AnyObject>(
        _ observer: Observer, name aName: Notification.Name?, object anObject: Any?
    ) {
        let object = anObject.map { ObjectIdentifier($0 as AnyObject) }
        remove {
            $0.observer.object === observer && (aName == nil || aName == $0.name)
                && (object == nil || object == $0.object)
        }
        // What `addObserver(forName:…)` returned.
        let observer: Any = observer
        removeObserver(observer, name: aName, object: anObject)
    }

    private func remove(_ isMeant: (SelectorObserver) -> Bool) {
        let center = ObjectIdentifier(self)
        let removed = observers.withLock { observers in
            let removed = observers.filter { $0.center == center && isMeant($0) }
            observers.removeAll { $0.center == center && isMeant($0) }
            return removed
        }
        for observer in removed {
            let token: Any = observer.token
            removeObserver(token, name: nil, object: nil)
        }
    }
}
