import Foundation
import Synchronization

// Source: Objective-C's runtime, Swift's module ObjectiveC.

/// Runs the body. Swift releases objects as soon as they are not needed, so there is no pool to drain.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

/// A lock of an object, as long as threads hold it or wait for it.
private final class ObjectLock: Sendable {
    let lock = NSRecursiveLock()
    let users = Mutex(0)
}

private let locks = Mutex<[ObjectIdentifier: ObjectLock]>([:])

/// Waits until no other thread is between this call and ``objc_sync_exit(_:)`` with the object. One thread may call it
/// several times.
///
/// - Returns: 0.
@discardableResult
public func objc_sync_enter(_ obj: Any) -> Int32 {
    let object = obj as AnyObject
    let lock = locks.withLock { locks in
        let lock = locks[ObjectIdentifier(object)] ?? ObjectLock()
        locks[ObjectIdentifier(object)] = lock
        lock.users.withLock { $0 += 1 }
        return lock
    }
    lock.lock.lock()
    return 0
}

/// Ends what ``objc_sync_enter(_:)`` began.
///
/// - Returns: 0; -1 if nobody had begun.
@discardableResult
public func objc_sync_exit(_ obj: Any) -> Int32 {
    let object = obj as AnyObject
    let lock = locks.withLock { locks -> ObjectLock? in
        guard let lock = locks[ObjectIdentifier(object)] else { return nil }
        let left = lock.users.withLock { users in
            users -= 1
            return users
        }
        if left == 0 { locks[ObjectIdentifier(object)] = nil }
        return lock
    }
    guard let lock else { return -1 }
    lock.lock.unlock()
    return 0
}

extension NSObjectProtocol where Self: NSObject {
    @available(
        *, unavailable,
        message: "values by key need Objective-C's runtime, which Linux lacks: use the property itself"
    )
    public func value(forKey key: String) -> Any? { fatalError("the compiler does not let this happen") }

    @available(
        *, unavailable,
        message: "values by key need Objective-C's runtime, which Linux lacks: use the property itself"
    )
    public func setValue(_ value: Any?, forKey key: String) { fatalError("the compiler does not let this happen") }
}
