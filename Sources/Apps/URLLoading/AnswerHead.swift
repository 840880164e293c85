import Foundation

/// The beginning of an HTTP/1.1 answer, to find out where the answer ends (RFC 9112, 6.3).
struct AnswerHead {
    /// How much of an answer is examined.
    private static let limit = 65_536

    private var bytes = Data()
    private var isComplete = false

    /// Whether the answer has not begun.
    var isEmpty: Bool { bytes.isEmpty && !isComplete }

    /// Takes the next bytes of the answer.
    mutating func take(_ new: Data) {
        guard !isComplete, bytes.count < Self.limit else { return }
        bytes += new.prefix(Self.limit)
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
        bytes = bytes.prefix(upTo: end.lowerBound)
        isComplete = true
    }

    /// Whether the answer has begun, and only the end of the connection marks its end. Other protocols, such as TLS,
    /// mark it themselves.
    var endsWithConnection: Bool {
        guard isComplete, bytes.starts(with: Data("HTTP/1.".utf8)) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).lowercased().split(separator: "\r\n")
        return !lines.contains { $0.hasPrefix("content-length:") || $0.hasPrefix("transfer-encoding:") }
    }
}
