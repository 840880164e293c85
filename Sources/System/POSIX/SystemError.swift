import Glibc

/// A system call that failed: what was being done, to what, and the kernel's reason.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The `errno` value.
    package let code: Int32
    /// What was being done, as a phrase that starts a sentence: `opening /dev/vhci`.
    package let action: String

    package init(code: Int32, action: String) {
        self.code = code
        self.action = action
    }

    package var description: String { "\(action): \(String(cString: strerror(code)))" }
}

/// Forces the next system calls of a named kind to fail, so that a test can reach the error paths.
///
/// In a release build the seam is compiled out.
package enum ForcedError {
    /// The kind of call (`open`, `write`, …) that fails, and the `errno` it fails with; task-local, so tests do not meet.
    @TaskLocal package static var next: (call: String, code: Int32)?
}

/// Runs a system call until it is not interrupted, and turns -1 into a ``SystemError``.
///
/// - Parameters:
///   - call: The call's name as ``ForcedError`` knows it.
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
