import FoundationEssentials
import TestSupport
import Testing

@testable import DieProtocol

/// The fields of an update and a reply that are not plain text: their bytes, decoding, and refusals.
@Suite struct NotificationFieldsTests {
    private static let identified: [UInt8] = [1, 1, 0, 0, 0, 110, 2, 1, 0, 0, 0, 115]
    private static let identifier = NotificationIdentifier(source: "s", notification: "n")

    private static var whole: NotificationContent {
        var content = NotificationContent(identifier: identifier, title: "Kim", alerts: true)
        content.summary = "Dinner"
        content.thread = "family"
        content.date = .init(seconds: -1, precision: .day)
        content.attributes = [.critical, .priority]
        content.category = .incomingCall
        content.sound = .init(ignoresSilentMode: true)
        content.actions = [
            .init(kind: .dismiss, identifier: "clear"), .init(kind: .background, identifier: "read", title: "Read"),
            .init(kind: .textInput, identifier: "reply", title: "Reply", placeholder: "Message"),
        ]
        content.pictures = [
            .init(role: .sourceIcon, type: "public.png", data: Data([1, 2, 3])),
            .init(role: .attachment, type: "", data: Data()),
        ]
        return content
    }

    @Test("A notification is decoded as it was encoded, and a later field is ignored", .covers("N3", "N5"))
    func roundTrip() throws {
        var quiet = Self.whole
        (quiet.alerts, quiet.sound, quiet.category) = (false, nil, .notification)
        for update in [NotificationUpdate.add(Self.whole), .update(quiet)] {
            for number in [nil, 0, UInt64.max] {
                let numbered = NumberedUpdate(update, number: number)
                let bytes = try numbered.encoded()
                #expect(try NumberedUpdate(decoding: bytes) == numbered)
                #expect(try NumberedUpdate(decoding: bytes + [200, 1, 0, 0, 0, 9]) == numbered)
                #expect(try NotificationUpdate(decoding: bytes) == update)
            }
        }
        #expect(
            try NumberedUpdate(.removeAll, number: 258).encoded()
                == Data([1, 4, 8, 8, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0]))
    }

    @Test("An update never alerts, even if it contains an alert, a sound or a category", .covers("N3"))
    func updateIsQuiet() throws {
        let bytes = Data([1, 2] + Self.identified + [7, 1, 0, 0, 0, 1, 10, 1, 0, 0, 0, 1, 9, 1, 0, 0, 0, 1])
        #expect(
            try NotificationUpdate(decoding: bytes) == .update(.init(identifier: Self.identifier, title: "")))
    }

    @Test("Bits without a meaning are ignored")
    func strangeBits() throws {
        let bytes = Data([1, 1] + Self.identified + [11, 1, 0, 0, 0, 0xF9, 10, 1, 0, 0, 0, 0xFE])
        guard case .add(let content) = try NotificationUpdate(decoding: bytes) else {
            Issue.record("it is an added notification")
            return
        }
        #expect(content.attributes == .critical)
        #expect(content.sound == .init(ignoresSilentMode: false))
    }

    @Test(
        "Fields of a wrong length, kind or inner length are refused",
        arguments: [
            [8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [9, 1, 0, 0, 0, 4], [9, 0, 0, 0, 0], [10, 2, 0, 0, 0, 0, 0],
            [11, 0, 0, 0, 0], [15, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2], [15, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [12, 0, 0, 0, 0], [12, 1, 0, 0, 0, 1], [12, 2, 0, 0, 0, 1, 3], [12, 2, 0, 0, 0, 0, 0],
            [12, 8, 0, 0, 0, 1, 0, 9, 0, 120, 0, 0, 0], [12, 9, 0, 0, 0, 1, 0, 1, 0, 0xFF, 0, 0, 0, 0],
            [13, 2, 0, 0, 0, 1, 3], [13, 7, 0, 0, 0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
            [13, 8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 9],
        ] as [[UInt8]])
    func refusals(field: [UInt8]) {
        #expect(throws: DieProtocolError.self) {
            try NumberedUpdate(decoding: Data([1, 1] + Self.identified + field))
        }
    }

    @Test("The largest notification with pictures has 1 MiB; one more byte is refused, and the error names the limit")
    func largest() throws {
        var content = Self.whole
        content.pictures = [.init(role: .attachment, type: "public.png", data: Data())]
        let rest = try NotificationUpdate.add(content).encoded().count
        content.pictures[0].data = Data(repeating: 7, count: (1 << 20) - rest)
        let bytes = try NotificationUpdate.add(content).encoded()
        #expect(bytes.count == 1 << 20)
        #expect(try NotificationUpdate(decoding: bytes) == .add(content))
        content.pictures[0].data.append(7)
        #expect(throws: DieProtocolError.tooLong(what: "an update", count: (1 << 20) + 1, limit: 1 << 20)) {
            try NotificationUpdate.add(content).encoded()
        }
        let error = DieProtocolError.tooLong(what: "an update", count: (1 << 20) + 1, limit: 1 << 20)
        #expect("\(error)".contains("at most 1048576"))
        #expect(throws: DieProtocolError.self) { try NotificationUpdate(decoding: bytes + [0]) }
    }

    // MARK: Replies

    @Test("A reply is decoded as it was encoded, and has the documented bytes", .covers("N5"))
    func replies() throws {
        let bytes = Data([1, 1] + Self.identified + [3, 1, 0, 0, 0, 97, 4, 2, 0, 0, 0, 79, 75])
        let reply = NotificationReply(identifier: Self.identifier, action: "a", text: "OK")
        #expect(try reply.encoded() == bytes)
        for reply in [
            reply, .init(identifier: Self.identifier, action: "a"),
            .init(identifier: Self.identifier, action: "", text: "", number: 1 << 40),
        ] {
            #expect(try NotificationReply(decoding: reply.encoded()) == reply)
            #expect(try NotificationReply(decoding: reply.encoded() + [99, 0, 0, 0, 0]) == reply)
        }
    }

    @Test("Replies that are cut, too long, incomplete, or of another version or kind are refused", .covers("N5"))
    func replyRefusals() throws {
        let reply = NotificationReply(identifier: Self.identifier, action: "a", text: "OK", number: 5)
        let bytes = try reply.encoded()
        // A reply that is cut at the end of a field is also complete, unless a required field is missing.
        for count in 0..<bytes.count {
            guard let read = try? NotificationReply(decoding: bytes.prefix(count)) else { continue }
            #expect(read.action == reply.action && read.identifier == reply.identifier && read.number == nil)
        }
        for bytes: [UInt8] in [
            [], [1], [2, 1], [1, 2], [1, 1], [1, 1] + Self.identified,
            [1, 1] + Self.identified + [3, 1, 0, 0, 0, 0xFF],
            [1, 1] + Self.identified + [3, 1, 0, 0, 0, 97, 5, 1, 0, 0, 0, 1],
            [1, 1] + Self.identified + [3, 1, 0, 0, 0, 97, 3, 1, 0, 0, 0, 97],
        ] {
            #expect(throws: DieProtocolError.self) { try NotificationReply(decoding: Data(bytes)) }
        }
        var long = reply
        long.text = String(repeating: "x", count: NotificationReply.maximumLength)
        #expect(throws: DieProtocolError.self) { try long.encoded() }
        #expect(throws: DieProtocolError.self) {
            try NotificationReply(decoding: bytes + Data(count: NotificationReply.maximumLength))
        }
    }
}
