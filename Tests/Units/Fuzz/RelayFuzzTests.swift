import BoardProtocol
import DieProgram
import DieProtocol
import Foundation
import HILPOSIX
import Testing

/// Broken bytes for the relay, for its clients, and for the phone's reader of pushes.
@Suite struct RelayFuzzTests {
    private static let mailbox = UUID(uuidString: "0A1B2C3D-0000-4000-8000-00000000D1CE")!
    private static let token = Data(repeating: 7, count: 32)

    private static let messages: [DieRelay.Message] = [
        .attend(mailbox: mailbox), .attended(mailbox: mailbox), .post(mailbox: mailbox, token: token, Data(1...80)),
        .posted(app: 1, token: token, Data(1...80)), .answer(app: 3, Data([17])), .answered(Data([17])), .absent,
        .push(token: token, session: UUID(), sealed: Data(1...80)),
    ]
    private static let push = AccessoryPush(session: mailbox, sealed: Data(1...80))!
    private static let pushes: [PushMessage] = [
        .register(token: token), .push(number: 1, token: token, body: push.body), .taken(number: 1),
    ]

    @Test("After any bytes of strangers a die still gets what is posted, and a phone what is pushed")
    func relay() async throws {
        let corpus =
            try Self.messages.map { Array(try DieRelay.frame($0)) } + Self.pushes.map { Array($0.frame.bytes) }
        var relay = SimulatedInternet([DieRelayService()])
        var (number, strangers) = (UInt8(0), [Int]())
        await Fuzzer(corpus: corpus).run("the relay") { bytes, numbers in
            let stranger = relay.opened(port: Bool.random(using: &numbers) ? DieRelay.port : PushService.port)
            if let stranger { strangers.append(stranger) }
            inPieces(bytes, &numbers) { piece in
                guard let stranger else { return }
                for case .close(let gone) in relay.received(Data(piece), from: stranger) {
                    strangers.removeAll { $0 == gone }
                }
            }
            while strangers.count > 20 { relay.closed(strangers.removeFirst()) }
            guard relay.waitingPushCount <= 64 * 16 else { throw Fuzzer.Finding("it keeps too many pushes") }
            number &+= 1
            try Self.checkPost(&relay, number)
        }
    }

    /// A die, an app and a phone that behave correctly.
    private static func checkPost(_ relay: inout SimulatedInternet, _ number: UInt8) throws {
        guard let die = relay.opened(port: DieRelay.port), let app = relay.opened(port: DieRelay.port),
            let phone = relay.opened(port: PushService.port)
        else { throw Fuzzer.Finding("it takes nobody any more") }
        defer { for peer in [die, app, phone] { relay.closed(peer) } }
        _ = relay.received(try DieRelay.frame(.attend(mailbox: mailbox)), from: die)
        let post = DieRelay.Message.post(mailbox: mailbox, token: token, Data([number]))
        let posted = try DieRelay.frame(.posted(app: UInt32(app), token: token, Data([number])))
        guard relay.received(try DieRelay.frame(post), from: app).contains(.send(posted, to: die)) else {
            throw Fuzzer.Finding("the die does not get what is posted")
        }
        let fresh = Data([number]) + token
        _ = relay.received(Data(PushMessage.register(token: fresh).frame.bytes), from: phone)
        let push = DieRelay.Message.push(token: fresh, session: mailbox, sealed: Data(1...80))
        let outputs = relay.received(try DieRelay.frame(push), from: die)
        guard outputs.contains(where: { if case .send(_, phone) = $0 { true } else { false } }) else {
            throw Fuzzer.Finding("the phone does not get what is pushed: \(outputs)")
        }
    }

    @Test("Every accepted message is encoded to the same bytes")
    func readers() async throws {
        let corpus = try Self.messages.map { Array(try $0.encoded()) } + Self.pushes.map { $0.frame.payload }
        await Fuzzer(corpus: corpus + [Array(Self.push.body)]).run("the relay's messages") { bytes, numbers in
            if let message = try? DieRelay.Message(decoding: Data(bytes)), try message.encoded() != Data(bytes) {
                throw Fuzzer.Finding("\(message) is written otherwise")
            }
            let frame = Frame(kind: UInt8.random(in: 0...4, using: &numbers), payload: bytes)
            if let message = PushMessage(frame), message.frame != frame {
                throw Fuzzer.Finding("\(message) is written otherwise")
            }
            if let push = try? AccessoryPush(decoding: Data(bytes)) {
                guard let again = AccessoryPush(session: push.session, sealed: push.sealed) else { return }
                guard again.sealed == push.sealed else { throw Fuzzer.Finding("a push is read otherwise") }
            }
        }
    }
}
