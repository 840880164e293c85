import Foundation

// Values that apps keep with an object of a foreign class. Source: Objective-C's runtime, objc/runtime.h.

/// How a value is kept with an object.
public enum objc_AssociationPolicy: UInt, Sendable {
    /// Without keeping the value alive.
    case OBJC_ASSOCIATION_ASSIGN = 0
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// As a copy, if it can be copied.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    case OBJC_ASSOCIATION_RETAIN = 769
    case OBJC_ASSOCIATION_COPY = 771
}

/// The values of one object.
private struct Associations {
    weak var owner: AnyObject?
    var values: [UnsafeRawPointer: Any] = [:]
}

/// A value that is not kept alive.
private struct Unowned {
    weak var value: AnyObject?
}

// The lock guards it.
nonisolated(unsafe) private let associations = Locked<[ObjectIdentifier: Associations]>([:])

/// The value that is kept with an object under a key; nil for none.
public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    let object = object as AnyObject
    return associations.withLock { all in
        guard let found = all[ObjectIdentifier(object)], found.owner === object else { return nil }
        let value = found.values[key]
        return value is Unowned ? (value as? Unowned)?.value : value
    }
}

/// Keeps a value with an object under a key; nil removes it.
///
/// A value is released when the next one is kept after its object is gone: Linux does not report the release of an
/// object.
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {
    let object = object as AnyObject
    let kept: Any? =
        switch policy {
        case .OBJC_ASSOCIATION_ASSIGN: value.map { Unowned(value: $0 as AnyObject) }
        case .OBJC_ASSOCIATION_COPY, .OBJC_ASSOCIATION_COPY_NONATOMIC: (value as? any NSCopying)?.copy() ?? value
        case .OBJC_ASSOCIATION_RETAIN, .OBJC_ASSOCIATION_RETAIN_NONATOMIC: value
        }
    // A released value may itself keep something, so this is not under the lock.
    let released = associations.withLock { all in
        let gone = all.filter { $0.value.owner == nil }
        for identifier in gone.keys { all[identifier] = nil }
        var own = all[ObjectIdentifier(object)] ?? Associations(owner: object)
        let before = own.values[key]
        own.values[key] = kept
        all[ObjectIdentifier(object)] = own.values.isEmpty ? nil : own
        return (gone, before)
    }
    withExtendedLifetime(released) {}
}
