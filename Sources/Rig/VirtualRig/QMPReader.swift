import FoundationEssentials
import Framing
import PlainText

/// A message of QEMU's machine protocol.
enum QMPMessage: Sendable, Equatable {
    /// The first line of a conversation.
    case greeting
    /// The answer to the command of this number; `detail` is the text of its value.
    case answer(id: Int, detail: String)
    /// The command of this number failed.
    case failure(id: Int, why: String)
    /// Something happened, `STOP` or `MIGRATION`; `status` is what its data says of a migration.
    case event(String, status: String?)
    /// Bytes that are no message.
    case refused(String)
}

/// Takes messages out of QEMU's bytes, one a line, whatever the bytes are. Pure.
struct QMPReader {
    /// The longest line: QEMU's own are a few KiB.
    static let limit = 256 << 10

    /// One byte more than is taken tells of a line that is too long.
    private var lines = LineSplitter(limit: limit + 1)

    /// Takes more bytes, and gives the messages that they complete.
    mutating func push(_ bytes: [UInt8]) -> [QMPMessage] {
        lines.push(bytes).compactMap { line in
            line.count > QMPReader.limit
                ? .refused("a line of more than \(QMPReader.limit) bytes") : QMPReader.parse(line)
        }
    }

    /// One line; nil when it is empty.
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

    /// The fields that we read of any message.
    private struct Body: Decodable {
        struct Greeting: Decodable {}
        struct Failure: Decodable { var desc: String }
        /// A value may be of any kind; only an object with a `status` says something to us.
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
