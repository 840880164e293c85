/// The undelivered messages of a session, in order. It decides which of them may be sent now.
///
/// Messages are sent in order, without waiting for each other's answers, so that the link stays busy. If the transport
/// fails to deliver one, no other is sent until all that were sent are answered; then the first in the queue is sent
/// alone.
struct DeliveryQueue {
    private enum Stage {
        case waiting
        /// Handed to the transport, but not answered yet.
        case sent
        /// The transport did not deliver it.
        case failed
    }

    private var members: [(number: Int, stage: Stage)] = []
    private var lastNumber = 0

    /// Adds a message at the end of the queue, and returns its number.
    mutating func append() -> Int {
        lastNumber += 1
        members.append((lastNumber, .waiting))
        return lastNumber
    }

    /// Whether a message may be sent now: all messages before it are sent, and with it at most `limit` are unanswered.
    func maySend(_ number: Int, limit: Int) -> Bool {
        guard let index = index(of: number), index < limit else { return false }
        return members[..<index].allSatisfy { $0.stage == .sent }
    }

    /// Whether a message is the first in the queue and no other is unanswered.
    func isAlone(_ number: Int) -> Bool {
        index(of: number) == 0 && members.dropFirst().allSatisfy { $0.stage != .sent }
    }

    /// Notes that the message was handed to the transport.
    mutating func markSent(_ number: Int) { index(of: number).map { members[$0].stage = .sent } }

    /// Notes that the transport did not deliver the message. It keeps its place in the queue.
    mutating func markFailed(_ number: Int) { index(of: number).map { members[$0].stage = .failed } }

    /// Removes a message that was delivered or given up.
    mutating func remove(_ number: Int) { members.removeAll { $0.number == number } }

    private func index(of number: Int) -> Int? { members.firstIndex { $0.number == number } }
}
