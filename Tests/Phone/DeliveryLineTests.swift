import RuleCoverage
import Testing

@testable import Phone

@Suite struct DeliveryLineTests {
    private func line(of count: Int, gone: Int) -> DeliveryLine {
        var line = DeliveryLine()
        for _ in 0..<count { _ = line.join() }
        for number in 1...max(1, gone) where number <= gone { line.left(number) }
        return line
    }

    /// The numbers that may leave now.
    private func leaving(_ line: DeliveryLine, among limit: Int = 3) -> [Int] {
        (1...9).filter { line.mayLeave($0, among: limit) }
    }

    private func alone(_ line: DeliveryLine) -> [Int] { (1...9).filter(line.isAlone) }

    @Test("They leave in order, up to the limit", .covers("N3"))
    func order() {
        #expect(leaving(line(of: 5, gone: 0)) == [1])
        #expect(leaving(line(of: 5, gone: 2)) == [1, 2, 3])
        #expect(leaving(line(of: 5, gone: 3)) == [1, 2, 3], "the fourth waits for room")
        var line = line(of: 5, gone: 3)
        line.settled(2)
        #expect(leaving(line) == [1, 3, 4])
    }

    @Test("Once one came back none leaves; the first goes alone when the rest are answered", .covers("T1"))
    func returned() {
        var line = line(of: 4, gone: 3)
        line.returned(2)
        line.settled(1)
        #expect(leaving(line).filter { $0 > 2 } == [])
        #expect(alone(line) == [], "the third is on its way")
        line.returned(3)
        #expect(alone(line) == [2])
        line.settled(2)
        #expect(alone(line) == [3])
        #expect(leaving(line).filter { $0 > 3 } == [])
        line.settled(3)
        #expect(leaving(line) == [4])
    }

    @Test("One that is not in the line has no turn")
    func unknown() {
        var line = line(of: 1, gone: 1)
        line.settled(1)
        line.left(1)
        line.returned(7)
        #expect(leaving(line) == [])
        #expect(alone(line) == [])
    }
}
