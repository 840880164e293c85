import Foundation

/// Why a virtual rig could not be set up or started, and what mends it.
///
/// The reason is always the rig's, never the product's: who runs scenarios reports it as an error, exit code 2.
public struct VirtualRigError: Error, Sendable, Codable, Equatable, CustomStringConvertible {
    /// What was being done: `building the board image`.
    public let action: String
    /// What went wrong, in a line.
    public let reason: String
    /// What the reader can do about it, as a sentence without its full stop; nil where nobody knows.
    public let remedy: String?

    public init(_ action: String, _ reason: String, remedy: String? = nil) {
        self.action = action
        self.reason = reason
        self.remedy = remedy
    }

    public var description: String {
        "\(action): \(reason)" + (remedy.map { " — \($0)" } ?? "")
    }
}

extension VirtualRigError {
    /// A program of the system is not there.
    static func missing(_ program: String, package: String, for action: String) -> VirtualRigError {
        VirtualRigError(
            action, "\(program) is not installed",
            remedy: "run `make setup`, or `apt-get install \(package)` as root")
    }

    /// What an error says. Foundation's own descriptions are not for people.
    static func words(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return String(describing: error) }
        guard let cause = error.underlying as? POSIXError else { return error.localizedDescription }
        return (error.filePath.map { "\($0): " } ?? "") + String(cString: strerror(cause.code.rawValue))
    }

    /// Any other error, told as one of ours.
    static func wrapping(_ error: any Error, while action: String, remedy: String? = nil) -> VirtualRigError {
        if let error = error as? VirtualRigError { return error }
        let text = words(of: error)
        let isFull = text.contains("No space left on device") || text.contains("out of space")
        return VirtualRigError(action, text, remedy: remedy ?? (isFull ? "free some space, then repeat" : nil))
    }
}
