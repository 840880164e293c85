import Foundation

/// The beginning of an answer by HTTP/1.1, as far as it says where the answer ends (RFC 9112, 6.3).
struct AnswerHead {
    /// How much of an answer is looked at.
    private static let limit = 65_536

    private var bytes = Data()
    private var isComplete = false

    /// Takes what came of the answer.
    mutating func take(_ new: Data) {
        guard !isComplete, bytes.count < Self.limit else { return }
        bytes += new.prefix(Self.limit)
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return }
        bytes = bytes.prefix(upTo: end.lowerBound)
        isComplete = true
    }

    /// Whether the answer has begun, and nothing but the end of the connection says where it ends. What is not HTTP, such as
    /// TLS, says it by itself.
    var endsWithConnection: Bool {
        guard isComplete, bytes.starts(with: Data("HTTP/1.".utf8)) else { return false }
        let lines = String(decoding: bytes, as: UTF8.self).lowercased().split(separator: "\r\n")
        return !lines.contains { $0.hasPrefix("content-length:") || $0.hasPrefix("transfer-encoding:") }
    }
}
