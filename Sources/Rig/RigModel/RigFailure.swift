import Foundation
import HILPOSIX
import HILTiming
import RadioModel

/// A failure of the rig, not of the accessory or the app.
///
/// A scenario that throws it ends as an error, and the run with exit code 2.
public struct RigFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The failed action: `building the board image`, `filling the disk`.
    package let action: String
    /// The object of the action: `the host board`; nil if the action names it.
    package let subject: String?
    /// The reason, in one line.
    package let reason: String
    /// Advice for the reader, as a sentence without its full stop; nil if there is none.
    public let remedy: String?

    /// Makes a failure: the action that failed, its object, the reason in one line, and advice for the reader.
    public init(_ action: String, on subject: String? = nil, _ reason: String, remedy: String? = nil) {
        self.action = action
        self.subject = subject
        self.reason = reason
        self.remedy = remedy
    }

    public var description: String {
        action + (subject.map { " on \($0)" } ?? "") + ": \(reason)" + (remedy.map { " — \($0)" } ?? "")
    }
}

/// A rig of this name could not be made ready. The scenario may run on another one.
package struct UnreadyRig: Error, Sendable, CustomStringConvertible {
    /// See ``RunningRig/name``.
    package let name: String
    package let failure: RigFailure

    package init(name: String, failure: RigFailure) { (self.name, self.failure) = (name, failure) }

    package var description: String { failure.description }
}

extension RigFailure {
    /// Converts an error of the rig's layers; nil for an error that the product may have caused.
    ///
    /// A time-out gives nil: only the waiting code knows who was too slow. See ``doing(_:on:remedy:isolation:_:)``.
    package init?(_ error: any Error) {
        switch error {
        case let error as RigFailure: self = error
        case RadioError.rig(let what): self.init("talking to the rig", what)
        case let error as SystemError: self.init(error.action, String(cString: strerror(error.code)))
        default: return nil
        }
    }

    /// Turns any error into a failure of the rig during `action`.
    package static func wrapping(
        _ error: any Error, while action: String, on subject: String? = nil, remedy: String? = nil
    ) -> RigFailure {
        if let error = error as? RigFailure { return error }
        let text = if case RadioError.rig(let what) = error { what } else { words(of: error) }
        let isFull = text.contains("No space left on device") || text.contains("out of space")
        return RigFailure(
            action, on: subject, text, remedy: remedy ?? (isFull ? "free some space, then repeat" : nil))
    }

    /// Runs work for which only the rig is responsible, and turns every error in it into a failure of the rig,
    /// including time-outs.
    ///
    /// - Parameter action: The action: `booting`.
    /// - Throws: ``RigFailure``; `CancellationError` if the task was cancelled; ``RigLacks``, which is not a failure.
    @discardableResult
    package static func doing<Value>(
        _ action: String, on subject: String? = nil, remedy: String? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            if error is CancellationError || error is RigLacks { throw error }
            throw wrapping(error, while: action, on: subject, remedy: remedy)
        }
    }

    /// The text of an error for people. Foundation's own descriptions are hard to read.
    package static func words(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return String(describing: error) }
        guard let cause = error.underlying as? POSIXError else { return error.localizedDescription }
        return (error.filePath.map { "\($0): " } ?? "") + String(cString: strerror(cause.code.rawValue))
    }
}
