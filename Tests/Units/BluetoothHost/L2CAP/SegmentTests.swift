import TestSupport
import Testing

@testable import HILBluetoothHost

@Suite("SDUs in segments")
struct SegmentTests {
    private func receiver(
        mtu: UInt16 = 100, mps: UInt16 = 23, credits: UInt16 = 4, waiting: Int = 4, batch: Int = 1
    ) -> SegmentReceiver {
        var configuration = L2CAPConfiguration()
        configuration.waitingSDUs = waiting
        configuration.creditBatch = batch
        return SegmentReceiver(
            terms: CreditBasedTerms(mtu: mtu, mps: mps, credits: credits), configuration: configuration)
    }

    @Test("The first segment has the length of the SDU, and each is as long as the MPS")
    func segments() {
        var sender = SegmentSender(mps: 23, credits: 3)
        let sdu = (0..<50).map { UInt8($0) }
        sender.enqueue(sdu)
        let first = sender.next()
        #expect(first?.payload == [50, 0] + sdu[..<21] && first?.endsSDU == false)
        let second = sender.next()
        #expect(second?.payload == Array(sdu[21..<44]) && second?.endsSDU == false)
        let third = sender.next()
        #expect(third?.payload == Array(sdu[44...]) && third?.endsSDU == true)
        #expect(sender.next() == nil && sender.queue.isEmpty)
    }

    @Test("An SDU that fills its segments exactly has no empty one")
    func exact() {
        var sender = SegmentSender(mps: 23, credits: 3)
        sender.enqueue([UInt8](repeating: 1, count: 44))
        #expect(sender.next()?.endsSDU == false)
        #expect(sender.next()?.endsSDU == true)
    }

    @Test("An empty SDU is one frame with the length 0")
    func empty() throws {
        var sender = SegmentSender(mps: 23, credits: 1)
        sender.enqueue([])
        let next = sender.next()
        let frame = try #require(next)
        #expect(frame.payload == [0, 0] && frame.endsSDU)
        var receiver = receiver()
        #expect(try receiver.receive(frame.payload) == [])
    }

    @Test("Nothing leaves without a credit, and each frame needs one")
    func credits() {
        var sender = SegmentSender(mps: 23, credits: 0)
        sender.enqueue([1])
        #expect(sender.next() == nil)
        #expect(sender.add(credits: 1) == true)
        #expect(sender.next() != nil && sender.credits == 0)
    }

    @Test("65535 credits are allowed, one more is not")
    func overflow() {
        var sender = SegmentSender(mps: 23, credits: 65534)
        #expect(sender.add(credits: 1) == true)
        #expect(sender.add(credits: 1) == false)
        #expect(sender.credits == 65535)
    }

    @Test("Segments make their SDU again")
    func reassembly() throws {
        var receiver = receiver()
        #expect(try receiver.receive([5, 0, 1, 2]) == nil)
        #expect(try receiver.receive([3]) == nil)
        #expect(try receiver.receive([4, 5]) == [1, 2, 3, 4, 5])
        #expect(receiver.partial.isEmpty && receiver.waiting == 1)
    }

    @Test("A broken rule is named")
    func violations() throws {
        var none = receiver(credits: 0)
        #expect(throws: Malformed("a K-frame without a credit")) { try none.receive([1, 0, 1]) }
        var long = receiver()
        #expect(throws: Malformed("a K-frame with 24 bytes of payload; our MPS is 23")) {
            try long.receive([UInt8](repeating: 0, count: 24))
        }
        var big = receiver()
        #expect(throws: Malformed("an SDU of 101 bytes; our MTU is 100")) { try big.receive([101, 0, 1]) }
        var short = receiver()
        #expect(throws: Malformed("the first K-frame of an SDU of 1 bytes; at least 2 are needed")) {
            try short.receive([1])
        }
        var much = receiver()
        _ = try much.receive([3, 0, 1, 2])
        #expect(throws: Malformed("segments of 4 bytes for an SDU of 3")) { try much.receive([3, 4]) }
    }

    @Test("An SDU keeps its last credit until it is taken, its other frames give theirs back")
    func creditsOfReader() throws {
        var receiver = receiver(credits: 2, waiting: 2)
        _ = try receiver.receive([3, 0, 1])
        #expect(receiver.creditsToReturn() == 1)
        _ = try receiver.receive([2, 3])
        #expect(receiver.creditsToReturn() == nil && receiver.credits == 1)
        _ = try receiver.receive([1, 0, 1])
        #expect(receiver.creditsToReturn() == nil && receiver.credits == 0)
        receiver.consume(1)
        #expect(receiver.creditsToReturn() == 1)
        receiver.consume(100)
        #expect(receiver.creditsToReturn() == 1 && receiver.waiting == 0)
    }

    @Test("Credits go back in batches, but a peer without any gets one at once")
    func batches() throws {
        var receiver = receiver(credits: 4, waiting: 4, batch: 3)
        for expected in [nil, nil, 3, nil] as [UInt16?] {
            _ = try receiver.receive([1, 0, 1])
            receiver.consume(1)
            #expect(receiver.creditsToReturn() == expected)
        }
        var slow = self.receiver(credits: 1, waiting: 1, batch: 3)
        _ = try slow.receive([1, 0, 1])
        slow.consume(1)
        #expect(slow.creditsToReturn() == 1)
    }

    @Test("More SDUs than credits may wait, if the configuration says so")
    func longerQueue() throws {
        var receiver = receiver(credits: 1, waiting: 3)
        for expected in [1, 1, nil] as [UInt16?] {
            _ = try receiver.receive([1, 0, 1])
            #expect(receiver.creditsToReturn() == expected)
        }
        #expect(receiver.waiting == 3 && receiver.credits == 0)
    }

    @Test("Random frames never make a receiver hold more than its limits")
    func fuzz() {
        var numbers = SeededNumbers(seed: 2)
        var receiver = receiver(mtu: 60, mps: 30, credits: 3, waiting: 5)
        for _ in 0..<L2CAPFuzz.count {
            var payload = L2CAPFuzz.bytes(32, &numbers)
            if Bool.random(using: &numbers), payload.count > 1 {
                payload.replaceSubrange(0..<2, with: [payload[0] & 63, 0])
            }
            if (try? receiver.receive(payload)) == nil, receiver.credits == 0 { receiver.consume(1) }
            _ = receiver.creditsToReturn()
            let isBounded =
                receiver.partial.count <= 60 && receiver.waiting <= 5 && receiver.waiting + receiver.credits <= 5
            #expect(isBounded)
            if !isBounded { return }
        }
    }
}
