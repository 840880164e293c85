import RadioModel
import Synchronization
import Testing

@testable import HILPhoneRadio

@Suite("A controller that host stacks use by turns", .timeLimit(.minutes(1)))
struct SharedControllerTests {
    /// A controller that says what the test says.
    private final class Controller: ControllerTransport {
        let packets: AsyncThrowingStream<[UInt8], any Error>
        let says: AsyncThrowingStream<[UInt8], any Error>.Continuation
        let heard = Mutex<[[UInt8]]>([])
        let isClosed = Mutex(false)

        init() { (packets, says) = AsyncThrowingStream<[UInt8], any Error>.makeStream() }

        func send(_ packet: [UInt8]) throws(RadioError) { heard.withLock { $0.append(packet) } }

        func close() {
            isClosed.withLock { $0 = true }
            says.finish()
        }
    }

    @Test("Only who has the turn gets packets and reaches the controller, and what was on its way to another is lost")
    func turns() async throws {
        let controller = Controller()
        let shared = SharedController(controller)
        let (phone, stranger) = (shared.makeEnd(), shared.makeEnd())
        var phones = phone.packets.makeAsyncIterator()
        var strangers = stranger.packets.makeAsyncIterator()
        controller.says.yield([1])
        #expect(try await phones.next() == [1])
        try stranger.send([9])
        try phone.send([2])
        #expect(controller.heard.withLock { $0 } == [[2]])
        stranger.takeTurn()
        controller.says.yield([3])
        #expect(try await strangers.next() == [3])
        try phone.send([4])
        try stranger.send([5])
        #expect(controller.heard.withLock { $0 } == [[2], [5]])
        phone.takeTurn()
        controller.says.yield([6])
        #expect(try await phones.next() == [6])
    }

    @Test("A reader that waits for its turn gets the first packet of it")
    func waiting() async throws {
        let controller = Controller()
        let shared = SharedController(controller)
        let (phone, stranger) = (shared.makeEnd(), shared.makeEnd())
        let read = Task {
            var strangers = stranger.packets.makeAsyncIterator()
            return try await strangers.next()
        }
        var phones = phone.packets.makeAsyncIterator()
        controller.says.yield([1])
        #expect(try await phones.next() == [1])
        stranger.takeTurn()
        controller.says.yield([2])
        #expect(try await read.value == [2])
    }

    @Test("An end that is closed has no more packets, and the controller stays with the others")
    func closed() async throws {
        let controller = Controller()
        let shared = SharedController(controller)
        let (phone, stranger) = (shared.makeEnd(), shared.makeEnd())
        stranger.takeTurn()
        controller.says.yield([1])
        var strangers = stranger.packets.makeAsyncIterator()
        #expect(try await strangers.next() == [1])
        stranger.close()
        #expect(try await strangers.next() == nil)
        #expect(!controller.isClosed.withLock { $0 })
        phone.takeTurn()
        controller.says.yield([2])
        var phones = phone.packets.makeAsyncIterator()
        #expect(try await phones.next() == [2])
    }

    @Test("The loss of the controller ends all its ends, with the reason")
    func lost() async throws {
        let controller = Controller()
        let shared = SharedController(controller)
        let (phone, stranger) = (shared.makeEnd(), shared.makeEnd())
        controller.says.finish(throwing: RadioError.rig("it was unplugged"))
        for end in [phone, stranger] {
            var packets = end.packets.makeAsyncIterator()
            await #expect(throws: RadioError.rig("it was unplugged")) { try await packets.next() }
        }
    }

    @Test("A controller that nobody uses is closed")
    func unused() async throws {
        let controller = Controller()
        do { _ = SharedController(controller).makeEnd() }
        #expect(controller.isClosed.withLock { $0 })
    }
}
