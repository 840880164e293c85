import BoardProtocol
import HILPOSIX
import RadioModel
import Synchronization
import TestSupport
import Testing

@Suite("Messages to and from a taken controller")
struct ControllerFrameTests {
    private static let reset: [UInt8] = [1, 3, 0x0C, 0]
    private static let event: [UInt8] = [4, 0x0E, 4, 1, 3, 0x0C, 0]

    @Test("A message is read as it was sent")
    func messages() {
        let contents: [ControllerFrame.Content] = [
            .packets(first: 0, []), .packets(first: 1 << 40, [Self.reset, Self.event, [2, 1, 0x20, 0, 0]]),
            .taken(.max), .ended("it was unplugged"),
        ]
        for content in contents {
            let message = ControllerFrame(session: 0xA1B2_C3D4, content)
            #expect(message.frame.kind == BoardProtocol.FrameKind.controller)
            #expect(ControllerFrame(payload: message.frame.payload) == message)
        }
    }

    @Test("A message that is cut off, or whose packets are not H4, is refused; no bytes are a trap")
    func hostile() {
        let whole = ControllerFrame(session: 7, .packets(first: 3, [Self.reset, Self.event])).frame.payload
        // Each packet ends the message as well.
        let ends = [13, 13 + 2 + Self.reset.count, whole.count]
        for length in 0..<whole.count where !ends.contains(length) {
            #expect(ControllerFrame(payload: Array(whole.prefix(length))) == nil, "\(length) bytes")
        }
        for bad: [UInt8] in [[], [9, 9], [1, 3, 0x0C, 1], [4, 0x0E, 0, 0]] {
            let payload = ControllerFrame(session: 7, .packets(first: 0, [bad])).frame.payload
            #expect(ControllerFrame(payload: payload) == nil, "\(bad)")
        }
        var numbers = SeededNumbers(seed: 14)
        for _ in 0..<20_000 {
            var payload = whole
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                payload[Int.random(in: 0..<payload.count, using: &numbers)] = .random(in: 0...255, using: &numbers)
            }
            guard case .packets(_, let packets) = ControllerFrame(payload: payload)?.content else { continue }
            #expect(packets.allSatisfy { H4.problem(with: $0) == nil })
        }
    }

    @Test("Packets are sent until a window of bytes is not taken")
    func window() {
        var window = ControllerWindow()
        while window.hasRoom { window.send(1000) }
        #expect(window.sent == 33, "the packet that fills the window may go beyond it")
        var taken: [Int?] = []
        // More than was sent; some; fewer than before.
        for count: UInt64 in [34, 1, 0] { taken.append(window.take(upTo: count)) }
        #expect(taken == [nil, 1, nil])
        #expect(window.hasRoom && window.bytes == 32_000)
        let rest = window.take(upTo: 33)
        #expect(rest == 32)
        #expect(window.bytes == 0)
    }

    @Test("A queue gives its elements in order, and forgets them")
    func queue() {
        var queue = Queue<Int>()
        var taken: [Int] = []
        for number in 0..<1000 {
            queue.append(number)
            if number % 3 != 0 { queue.popFirst().map { taken.append($0) } }
        }
        while let number = queue.popFirst() { taken.append(number) }
        #expect(taken == Array(0..<1000))
        #expect(queue.isEmpty && queue.first == nil)
    }

    /// The runner's client: the messages reach who has taken the controller, and the agent's end too.
    @Test("The client passes messages on, until the agent is gone", .timeLimit(.minutes(1)))
    func client() async throws {
        let (near, far) = try UnixSocket.pair()
        let client = BoardClient(near, role: .host)
        let (messages, continuation) = AsyncStream<ControllerFrame?>.makeStream()
        client.onController { continuation.yield($0) }
        let message = ControllerFrame(session: 1, .packets(first: 0, [Self.event]))
        try far.write(message.frame.bytes)
        var received = messages.makeAsyncIterator()
        #expect(await received.next() == .some(message))
        client.send(ControllerFrame(session: 1, .taken(1)))
        #expect(try far.read() == ControllerFrame(session: 1, .taken(1)).frame.bytes)
        far.shutDown()
        #expect(await received.next() == .some(nil))
    }
}
