/// Why received bytes were refused, or a value could not be encoded.
package enum DieProtocolError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The bytes end before `what`.
    case truncated(what: String)
    /// There are bytes after the end of `what`.
    case trailingBytes(what: String)
    /// The version of `what` is unknown.
    case unknownVersion(UInt8, what: String)
    /// The kind of `what` is unknown.
    case unknownKind(UInt8, what: String)
    /// `what` has or announces `count` bytes; the limit is `limit`.
    case tooLong(what: String, count: Int, limit: Int)
    /// `what` has a value that is not allowed.
    case invalid(what: String)

    /// The error in one sentence.
    package var description: String {
        switch self {
        case .truncated(let what): "the bytes end before \(what)"
        case .trailingBytes(let what): "there are bytes after the end of \(what)"
        case .unknownVersion(let version, let what): "version \(version) of \(what) is unknown"
        case .unknownKind(let kind, let what): "kind \(kind) of \(what) is unknown"
        case .tooLong(let what, let count, let limit): "\(what) has \(count) bytes; at most \(limit) are allowed"
        case .invalid(let what): "\(what) has a value that is not allowed"
        }
    }
}
