import Glibc

// The older lock, whose address apps keep. Source: os, os_unfair_lock.

/// A lock that waits in the kernel. It must not move while a thread holds it.
public struct os_unfair_lock {
    // All zeros is a lock that nobody holds.
    fileprivate var mutex = pthread_mutex_t()

    public init() {}
}

public typealias os_unfair_lock_s = os_unfair_lock
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock>

/// Waits until no other thread holds the lock, and takes it.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(&lock.pointee.mutex) }

/// Takes the lock if no thread holds it. Returns whether it did.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool {
    pthread_mutex_trylock(&lock.pointee.mutex) == 0
}

/// Gives the lock back. The thread that took it must do so.
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(&lock.pointee.mutex) }
