import POSIX
import RadioModel
import VirtualRig

/// The rig could not do what it is there for. Never the accessory's fault, and never the app's.
public struct RigFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// What could not be done, why, and what to do.
    public let description: String

    public init(_ description: String) { self.description = description }

    /// Does what is the rig's own to do: whatever goes wrong with that, a wait that comes to its end too, is the rig's fault.
    ///
    /// - Parameter failure: What it means when it goes wrong: `the board did not boot`.
    /// - Throws: ``RigFault``, or that the scenario was cancelled meanwhile.
    static func unless<Value>(
        done failure: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
    ) async throws -> Value {
        do { return try await body() } catch let error as RigFault { throw error } catch let error as CancellationError
        {
            throw error
        } catch { throw RigFault("\(failure): \(Failure(error).message)") }
    }
}

extension Failure {
    /// A thrown error as a failure: of the kind that it is, in its own words, or else by its type and values.
    public init(_ error: any Error, at location: SourceLocation? = nil) {
        let words = String(describing: error)
        let text: String
        if case RadioError.rig(let what) = error {
            text = what
        } else {
            text = words.contains(" ") ? words : "\(type(of: error)): \(words)"
        }
        self.init(Kind(of: error), text, at: location, basis: Basis(of: error))
    }
}

extension Failure.Kind {
    /// Whose fault a thrown error is.
    public init(of error: any Error) {
        switch error {
        case RadioError.rig, is RigFault, is VirtualRigError, is SystemError: self = .rig
        default: self = .product
        }
    }
}
