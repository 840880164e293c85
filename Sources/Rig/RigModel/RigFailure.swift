import Foundation
import POSIX
import RadioModel
import Timing

/// What the rig did wrong: never the accessory's fault, and never the app's.
///
/// Whoever runs scenarios reports it as an error, exit code 2.
public struct RigFailure: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// What was being done: `building the board image`, `filling the disk`.
    public let action: String
    /// To what: `the host board`; nil where the action says it.
    public let subject: String?
    /// Why it went wrong, in a line.
    public let reason: String
    /// What the reader can do about it, as a sentence without its full stop; nil where nobody knows.
    public let remedy: String?

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

extension RigFailure {
    /// The failure that an error of the rig's layers is; nil for an error that may be the product's.
    ///
    /// A time-out is not among them: only who waits knows whose it is. See ``doing(_:on:remedy:isolation:_:)``.
    public init?(_ error: any Error) {
        switch error {
        case let error as RigFailure: self = error
        case RadioError.rig(let what): self.init("talking to the rig", what)
        case let error as SystemError: self.init(error.action, String(cString: strerror(error.code)))
        default: return nil
        }
    }

    /// Any error, as a failure of the rig while it did this.
    public static func wrapping(
        _ error: any Error, while action: String, on subject: String? = nil, remedy: String? = nil
    ) -> RigFailure {
        if let error = error as? RigFailure { return error }
        let text = if case RadioError.rig(let what) = error { what } else { words(of: error) }
        let isFull = text.contains("No space left on device") || text.contains("out of space")
        return RigFailure(
            action, on: subject, text, remedy: remedy ?? (isFull ? "free some space, then repeat" : nil))
    }

    /// Does what is the rig's own to do: whatever goes wrong with that, a wait that comes to its end too, is its failure.
    ///
    /// - Parameter action: What is done: `booting`.
    /// - Throws: ``RigFailure``; that the scenario was cancelled meanwhile; ``RigLacks``, which is no failure.
    @discardableResult
    public static func doing<Value>(
        _ action: String, on subject: String? = nil, remedy: String? = nil,
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch {
            if error is CancellationError || error is RigLacks { throw error }
            throw wrapping(error, while: action, on: subject, remedy: remedy)
        }
    }

    /// What an error says. Foundation's own descriptions are not for people.
    public static func words(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return String(describing: error) }
        guard let cause = error.underlying as? POSIXError else { return error.localizedDescription }
        return (error.filePath.map { "\($0): " } ?? "") + String(cString: strerror(cause.code.rawValue))
    }
}
