import FoundationEssentials
import HILPOSIX

/// A message of QEMU's machine protocol.
enum QMPMessage: Sendable, Equatable {
    /// The first line of a conversation.
    case greeting
    /// The answer to the command with this number; `detail` is the status in its value, or empty.
    case answer(id: Int, detail: String)
    /// The command with this number failed.
    case failure(id: Int, why: String)
    /// An event, such as `STOP` or `MIGRATION`; `status` is the status in its data.
    case event(String, status: String?)
    /// Bytes that are not a valid message, with the reason.
    case refused(String)
}

/// Reads messages from QEMU's bytes, one per line. Any bytes are accepted.
struct QMPReader {
    /// The longest line, in bytes. QEMU's lines have a few KiB.
    static let limit = 256 << 10

    /// One byte above the limit, to recognise a line that is too long.
    private var lines = LineSplitter(limit: limit + 1)

    /// Adds bytes, and returns the messages that they complete.
    mutating func push(_ bytes: [UInt8]) -> [QMPMessage] {
        lines.push(bytes).compactMap { line in
            line.count > QMPReader.limit
                ? .refused("a line of more than \(QMPReader.limit) bytes") : QMPReader.parse(line)
        }
    }

    /// Parses one line; nil if it is empty.
    static func parse(_ line: [UInt8]) -> QMPMessage? {
        let text = line.filter { $0 > 32 }
        guard !text.isEmpty else { return nil }
        let body: Body
        do { body = try JSONDecoder().decode(Body.self, from: Data(line)) } catch {
            return .refused(PlainText.unreadable(line, error))
        }
        if body.QMP != nil { return .greeting }
        if let event = body.event { return .event(event, status: body.data?.status) }
        guard let id = body.id else { return .refused("an answer without a number") }
        if let error = body.error { return .failure(id: id, why: error.desc) }
        return .answer(id: id, detail: body.return?.status ?? "")
    }

    /// The fields of all messages that are used here.
    private struct Body: Decodable {
        struct Greeting: Decodable {}
        struct Failure: Decodable { var desc: String }
        /// A value may be of any type; only the `status` of an object is used.
        struct Value: Decodable {
            var status: String?
            private enum Keys: CodingKey { case status }
            init(from decoder: any Decoder) throws {
                status = try? decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .status)
            }
        }
        var QMP: Greeting?
        var event: String?
        var data: Value?
        var id: Int?
        var error: Failure?
        var `return`: Value?
    }
}
