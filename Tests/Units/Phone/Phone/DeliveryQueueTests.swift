import TestSupport
import Testing

@testable import HILPhone

/// Which messages of a session may be sent, and when.
@Suite struct DeliveryQueueTests {
    private func queue(of count: Int, sent: Int) -> DeliveryQueue {
        var queue = DeliveryQueue()
        for _ in 0..<count { _ = queue.append() }
        for number in 1...max(1, sent) where number <= sent { queue.markSent(number) }
        return queue
    }

    /// The numbers of the messages that may be sent beside others.
    private func sendable(_ queue: DeliveryQueue, limit: Int = 3) -> [Int] {
        (1...9).filter { queue.maySend($0, limit: limit) }
    }

    private func alone(_ queue: DeliveryQueue) -> [Int] { (1...9).filter(queue.isAlone) }

    @Test("Messages are sent in order, up to the limit", .covers("N3"))
    func order() {
        #expect(sendable(queue(of: 5, sent: 0)) == [1])
        #expect(sendable(queue(of: 5, sent: 2)) == [1, 2, 3])
        #expect(sendable(queue(of: 5, sent: 3)) == [1, 2, 3], "the fourth waits: the limit is reached")
        var queue = queue(of: 5, sent: 3)
        queue.remove(2)
        #expect(sendable(queue) == [1, 3, 4])
    }

    @Test("After a failure nothing is sent until the rest are answered; then the first is sent alone", .covers("T1"))
    func failure() {
        var queue = queue(of: 4, sent: 3)
        queue.markFailed(2)
        queue.remove(1)
        #expect(sendable(queue).filter { $0 > 2 } == [])
        #expect(alone(queue) == [], "the third is unanswered")
        queue.markFailed(3)
        #expect(alone(queue) == [2])
        queue.remove(2)
        #expect(alone(queue) == [3])
        #expect(sendable(queue).filter { $0 > 3 } == [])
        queue.remove(3)
        #expect(sendable(queue) == [4])
    }

    @Test("A message that is not in the queue is never sent")
    func unknown() {
        var queue = queue(of: 1, sent: 1)
        queue.remove(1)
        queue.markSent(1)
        queue.markFailed(7)
        #expect(sendable(queue) == [])
        #expect(alone(queue) == [])
    }
}
