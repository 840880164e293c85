import DieProtocol
import Foundation
import Testing

/// Sealed messages may be hostile as well: a peer with the keys may have bad firmware.
@Suite struct UpdateFuzzTests {
    private static func bytes(_ body: () throws -> Data) -> [UInt8] {
        do { return Array(try body()) } catch { preconditionFailure("a good message is refused: \(error)") }
    }

    private static var content: NotificationContent {
        var content = NotificationContent(
            identifier: .init(source: "com.example.chat", notification: "42"), sourceName: "Chat", title: "Kim",
            subtitle: "Family", body: "Dinner at 8? 🍝", alerts: true)
        content.date = .init(seconds: 1_795_000_000)
        content.attributes = .timeSensitive
        content.sound = .init()
        content.actions = [
            .init(kind: .textInput, identifier: "reply", title: "Reply", placeholder: "Message"),
            .init(kind: .dismiss, identifier: "clear"),
        ]
        content.pictures = [.init(role: .contextIcon, type: "public.png", data: Data(repeating: 7, count: 40))]
        return content
    }

    @Test("Updates are read without a trap, hold no more than was sent, and are written as they were read")
    func updates() async {
        let content = Self.content
        let corpus = [
            NumberedUpdate(.add(content), number: 7), .init(.update(content)), .init(.remove(content.identifier)),
            .init(.removeAll, number: .max),
        ].map { update in Self.bytes { try update.encoded() } }
        await Fuzzer(corpus: corpus + [[8, 8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], [13, 1, 0, 0, 0, 0]]).run("updates") {
            bytes, _ in
            guard let read = try? NumberedUpdate(decoding: Data(bytes)) else { return }
            if case .add(let content) = read.update {
                let held = content.body.utf8.count + content.pictures.reduce(0) { $0 + $1.data.count }
                guard held <= bytes.count else { throw Fuzzer.Finding("\(held) bytes come out of \(bytes.count)") }
            }
            guard try NumberedUpdate(decoding: read.encoded()) == read else {
                throw Fuzzer.Finding("written again it is another one")
            }
        }
    }

    @Test("Replies are read without a trap, and are written as they were read")
    func replies() async {
        let identifier = Self.content.identifier
        let corpus = [
            NotificationReply(identifier: identifier, action: "reply", text: "At eight, then. 🎲", number: 9),
            .init(identifier: identifier, action: "clear"),
        ].map { reply in Self.bytes { try reply.encoded() } }
        await Fuzzer(corpus: corpus).run("replies") { bytes, _ in
            guard let read = try? NotificationReply(decoding: Data(bytes)) else { return }
            guard try NotificationReply(decoding: read.encoded()) == read else {
                throw Fuzzer.Finding("written again it is another one")
            }
        }
    }
}
