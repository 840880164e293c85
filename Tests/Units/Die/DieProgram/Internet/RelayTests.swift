import DieProtocol
import Foundation
import HILPOSIX
import TestSupport
import Testing

@testable import BoardProtocol
@testable import DieProgram

/// The relay of the die's maker on the simulated internet, without sockets.
@Suite("The relay and the push service")
struct RelayTests {
    private static let mailbox = UUID(uuidString: "0A1B2C3D-0000-4000-8000-00000000D1CE")!
    private static let session = UUID(uuidString: "7C0F6A52-9C7E-4A0E-8A43-3D5B0A0F1B11")!
    private static let token = Data(repeating: 7, count: 32)
    private static let sealed = Data([1, 2, 3, 4, 5, 0, 0, 0]) + Data(repeating: 9, count: 60)

    /// The simulated internet and its peers, with everything that each peer was sent.
    private struct Stand {
        var internet = SimulatedInternet([DieRelayService()])
        var notes: [String] = []
        var closed: [Int] = []
        private var sent: [Int: Data] = [:]

        mutating func connect(_ port: UInt16 = DieRelay.port) throws -> Int {
            let number = internet.opened(port: port)
            return try #require(number)
        }

        mutating func send(_ message: DieRelay.Message, from connection: Int) throws {
            carryOut(internet.received(try DieRelay.frame(message), from: connection))
        }

        mutating func send(_ message: PushMessage, from connection: Int) {
            carryOut(internet.received(Data(message.frame.bytes), from: connection))
        }

        mutating func send(_ bytes: [UInt8], from connection: Int) {
            carryOut(internet.received(Data(bytes), from: connection))
        }

        private mutating func carryOut(_ outputs: [SimulatedInternet.Output]) {
            for output in outputs {
                switch output {
                case .send(let bytes, let connection): sent[connection, default: Data()] += bytes
                case .close(let connection): closed.append(connection)
                case .note(let note): notes.append(note)
                }
            }
        }

        /// What a die or an app was sent since the last call.
        mutating func messages(to connection: Int) throws -> [DieRelay.Message] {
            var reader = DieRelay.Reader()
            return try reader.push(sent.removeValue(forKey: connection) ?? Data())
        }

        /// What a phone was sent since the last call.
        mutating func pushes(to connection: Int) -> [PushMessage] {
            var reader = FrameReader()
            return reader.push(sent.removeValue(forKey: connection) ?? Data()).compactMap { item in
                if case .frame(let frame) = item { PushMessage(frame) } else { nil }
            }
        }
    }

    @Test("A message of an app reaches the die at the mailbox, and the receipt comes back", .covers("T1"))
    func post() throws {
        var stand = Stand()
        let (die, other, app) = (try stand.connect(), try stand.connect(), try stand.connect())
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        try stand.send(.attend(mailbox: UUID()), from: other)
        #expect(try stand.messages(to: die) == [.attended(mailbox: Self.mailbox)])
        try stand.send(.post(mailbox: Self.mailbox, token: Self.token, Self.sealed), from: app)
        let posted = try stand.messages(to: die)
        #expect(posted == [.posted(app: UInt32(app), token: Self.token, Self.sealed)])
        // Another die cannot answer for it.
        try stand.send(.answer(app: UInt32(app), Data([1])), from: other)
        try stand.send(.answer(app: UInt32(app), Data([2])), from: die)
        #expect(try stand.messages(to: app) == [.answered(Data([2]))])
    }

    @Test("If no die attends the mailbox, the app is told at once, and nothing is stored", .covers("T1"))
    func absent() throws {
        var stand = Stand()
        let (die, app) = (try stand.connect(), try stand.connect())
        try stand.send(.post(mailbox: Self.mailbox, token: Self.token, Self.sealed), from: app)
        #expect(try stand.messages(to: app) == [.absent])
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        #expect(try stand.messages(to: die) == [.attended(mailbox: Self.mailbox)])
        stand.internet.closed(die)
        try stand.send(.post(mailbox: Self.mailbox, token: Self.token, Self.sealed), from: app)
        #expect(try stand.messages(to: app) == [.absent])
    }

    @Test("A die that connects again takes over its mailbox from its earlier connection")
    func takenOver() throws {
        var stand = Stand()
        let (before, after, app) = (try stand.connect(), try stand.connect(), try stand.connect())
        try stand.send(.attend(mailbox: Self.mailbox), from: before)
        try stand.send(.attend(mailbox: Self.mailbox), from: after)
        stand.internet.closed(before)
        try stand.send(.post(mailbox: Self.mailbox, token: Self.token, Self.sealed), from: app)
        #expect(try stand.messages(to: after).count == 2)
    }

    @Test("A push waits for its phone, and is sent again until it is confirmed", .covers("N5"))
    func push() throws {
        var stand = Stand()
        let die = try stand.connect()
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        try stand.send(.push(token: Self.token, session: Self.session, sealed: Self.sealed), from: die)
        #expect(stand.internet.waitingPushCount == 1)
        let first = try stand.connect(PushService.port)
        stand.send(.register(token: Self.token), from: first)
        guard case .push(let number, Self.token, let body)? = stand.pushes(to: first).first else {
            return #expect(Bool(false), "it was not passed on")
        }
        let push = try AccessoryPush(decoding: body)
        #expect(push.session == Self.session)
        #expect(push.sealed == Self.sealed)
        stand.internet.closed(first)
        let second = try stand.connect(PushService.port)
        stand.send(.register(token: Self.token), from: second)
        #expect(stand.pushes(to: second) == [.push(number: number, token: Self.token, body: body)])
        stand.send(.taken(number: number), from: second)
        #expect(stand.internet.waitingPushCount == 0)
        #expect(stand.closed.isEmpty)
    }

    @Test("The content of a push is as Apple documents it")
    func layout() throws {
        let sealed = Data([1, 2, 3, 4, 5, 0, 0, 0]) + Data(count: 28)
        let push = try #require(AccessoryPush(session: Self.session, sealed: sealed))
        let text = String(decoding: push.body, as: UTF8.self)
        let zeros = Data(count: 28).base64EncodedString()
        #expect(
            text == """
                {"aps":{"encryptedData":"\(zeros)","keyID":"AQIDBA==","messageIndex":"5",\
                "sessionIdentifier":"7C0F6A52-9C7E-4A0E-8A43-3D5B0A0F1B11"}}
                """)
    }

    @Test("It stores no more than its limits allow")
    func limits() throws {
        var stand = Stand()
        let die = try stand.connect()
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        for number in 0..<200 {
            let token = Data([UInt8(number)]) + Self.token
            for _ in 0..<20 {
                try stand.send(.push(token: token, session: Self.session, sealed: Self.sealed), from: die)
            }
        }
        #expect(stand.internet.waitingPushCount == PushMailboxes.tokenLimit * PushMailboxes.pushLimit)
        let long = Data(count: DieRelay.maximumPushLength + 1)
        try stand.send(.push(token: Self.token, session: Self.session, sealed: long), from: die)
        #expect(stand.notes.last?.contains("is refused") == true)
        while stand.internet.opened(port: DieRelay.port) != nil {}
        #expect(stand.internet.opened(port: PushService.port) == nil)
        stand.internet.closed(die)
        #expect(stand.internet.opened(port: PushService.port) != nil)
    }

    @Test(
        "A peer that sends invalid bytes or a message of another role is hung up on",
        arguments: [
            [0x47, 0x45], [1, 0, 0, 0, 0], [1, 1, 0, 0, 0, 38], [1, 2, 0, 0, 0, 38, 1], [1, 1, 0, 0, 0, 99],
        ])
    func broken(bytes: [UInt8]) throws {
        var stand = Stand()
        let (bad, die, app) = (try stand.connect(), try stand.connect(), try stand.connect())
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        stand.send(bytes, from: bad)
        #expect(stand.closed == [bad])
        try stand.send(.push(token: Self.token, session: Self.session, sealed: Self.sealed), from: app)
        #expect(stand.closed == [bad, app])
        let phone = try stand.connect(PushService.port)
        stand.send(.push(number: 1, token: Self.token, body: Data()), from: phone)
        #expect(stand.closed == [bad, app, phone])
    }

    @Test("Its log contains sizes, but no complete name", .covers("S6"))
    func log() throws {
        var stand = Stand()
        let (die, app, phone) = (try stand.connect(), try stand.connect(), try stand.connect(PushService.port))
        try stand.send(.attend(mailbox: Self.mailbox), from: die)
        try stand.send(.post(mailbox: Self.mailbox, token: Self.token, Data("Dinner at eight?".utf8)), from: app)
        stand.send(.register(token: Self.token), from: phone)
        try stand.send(.push(token: Self.token, session: Self.session, sealed: Self.sealed), from: die)
        let log = stand.notes.joined(separator: "\n")
        #expect(log.contains("16 bytes"))
        #expect(!log.contains("Dinner") && !log.contains(Self.mailbox.uuidString))
        #expect(!log.contains(Self.token.map { _ in "07" }.joined()))
    }
}
