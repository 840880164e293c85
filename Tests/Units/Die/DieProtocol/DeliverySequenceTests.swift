import DieProtocol
import Testing

@Suite struct DeliverySequenceTests {
    private let follows = DeliveryNumbering.follows

    @Test("Numbers increase by one, and mark whether an earlier delivery is unanswered")
    func numbering() {
        var numbering = DeliveryNumbering()
        var numbers: [UInt32] = []
        for isUnanswered in [false, true, true, false] { numbers.append(numbering.next(afterUnanswered: isUnanswered)) }
        #expect(numbers == [1, follows | 2, follows | 3, 4])
        #expect(
            numbering.next(afterUnanswered: true, isQuiet: true) == follows | DeliveryNumbering.isQuiet | 5)
    }

    /// Which of these deliveries are accepted, one after the other.
    private func taken(_ numbers: [UInt32]) -> [UInt32] {
        var order = DeliverySequence()
        return numbers.filter { order.takes($0) }
    }

    @Test("A delivery that follows another is accepted only directly after it")
    func following() {
        #expect(taken([follows | 2]) == [], "nothing has arrived before it")
        #expect(taken([1, follows | 3, follows | 2, follows | 3]) == [1, follows | 2, follows | 3])
    }

    @Test("A repeated delivery is accepted: whether it opens is not a question of order")
    func again() {
        let numbers = [1, follows | 2, follows | 3, follows | 2, follows | 4]
        #expect(taken(numbers) == numbers)
    }

    @Test("A delivery that need not follow another is always accepted, and others may follow it")
    func alone() {
        #expect(taken([9, 7, follows | 9, follows | 8]) == [9, 7, follows | 8])
    }

    @Test("After the highest number comes the lowest")
    func wraps() {
        let highest = DeliveryNumbering.isQuiet - 1
        #expect(taken([highest, follows, follows | 2]) == [highest, follows])
        #expect(taken([highest, follows, follows | highest]) == [highest, follows, follows | highest])
    }
}
