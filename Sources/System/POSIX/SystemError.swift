import Glibc

/// A system call that failed: what was being done, to what, and the kernel's reason.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The `errno` value.
    package let code: Int32
    /// What was being done, as the start of a sentence: `opening /dev/vhci`.
    package let action: String

    package init(code: Int32, action: String) {
        self.code = code
        self.action = action
    }

    package var description: String { "\(action): \(String(cString: strerror(code)))" }
}

/// Makes the next system calls of one kind fail, so that a test can reach the error paths.
///
/// Only in debug builds.
package enum ForcedError {
    /// The kind of call that fails (`open`, `write`, …), and its `errno`. Task-local, so parallel tests do not disturb
    /// each other.
    @TaskLocal package static var next: (call: String, code: Int32)?
}

/// Repeats a system call while it is interrupted, and throws ``SystemError`` if it returns -1.
///
/// - Parameters:
///   - call: The name of the call, for ``ForcedError``.
///   - action: What is being done, for the error's text.
@discardableResult
package func valueOrErrno<Value: FixedWidthInteger & SignedInteger>(
    _ call: String, _ action: @autoclosure () -> String, _ body: () -> Value
) throws(SystemError) -> Value {
    #if DEBUG
        if let forced = ForcedError.next, forced.call == call {
            throw SystemError(code: forced.code, action: action())
        }
    #endif
    while true {
        let value = body()
        if value != -1 { return value }
        let code = errno
        if code != EINTR { throw SystemError(code: code, action: action()) }
    }
}
