import BoardProtocol
import HILTiming
import Testing

@testable import BoardAgent

@Suite struct ProgramOutputTests {
    @Test("Lines are the same however the bytes are cut, also inside a character")
    func cuts() {
        let text = "one\r\nzwei ä\n\n日本語\n🎲 last"
        let expected = ["one", "zwei ä", "日本語", "🎲 last"]
        let bytes = Array(text.utf8)
        for size in 1...bytes.count {
            var lines = ProgramLines()
            var read: [String] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                read += lines.push(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(read + [lines.finish()].compactMap { $0 } == expected, "in pieces of \(size)")
        }
    }

    @Test("A line that is too long is cut between two characters", arguments: 0..<4)
    func longLines(offset: Int) {
        let text = String(repeating: "a", count: offset) + String(repeating: "🎲", count: 3000)
        var lines = ProgramLines()
        let read = lines.push(Array(text.utf8)) + [lines.finish()].compactMap { $0 }
        #expect(read.joined() == text)
        #expect(read.allSatisfy { $0.utf8.count <= ProgramLines.longest + 3 } && read.count > 2)
    }

    @Test("Bytes that are not UTF-8 are replaced, and never hold a line back")
    func notText() {
        var lines = ProgramLines()
        #expect(lines.push([0xFF, 0xC3, 0x0A, 0x80, 0x80, 0x0A]) == ["\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}"])
        #expect(lines.finish() == nil)
    }

    private func lines(_ count: Int) -> [ProgramLine] { (0..<count).map { ProgramLine("\($0)") } }

    @Test("A flood is cut off and told, and later lines are told again with how many are missing")
    func flood() {
        var budget = OutputBudget(.init(lines: 100, bytes: 10_000, linesPerSecond: 10, bytesPerSecond: 1000))
        let first = budget.take(lines(1000), at: .zero)
        #expect(first.count == 101 && first.last?.source == .board)
        #expect(first.last?.text == "the program prints too much: lines are left out from here on")
        #expect(budget.take(lines(5), at: .milliseconds(100)).isEmpty, "there is room for one line, but not for more")
        let later = budget.take([ProgramLine("later")], at: .seconds(5))
        #expect(later == [ProgramLine("905 lines were left out", from: .board), ProgramLine("later")])
        #expect(budget.finish() == nil)
        _ = budget.take(lines(1000), at: .seconds(5))
        #expect(budget.finish()?.source == .board)
    }

    @Test("Long lines use the budget up as many lines do, and the clock going back does no harm")
    func bytes() {
        var budget = OutputBudget(.init(lines: 100, bytes: 1000, linesPerSecond: 10, bytesPerSecond: 100))
        let long = ProgramLine(String(repeating: "x", count: 600))
        #expect(budget.take([long, long], at: .seconds(9)).map(\.source) == [.output, .board])
        #expect(budget.take([long], at: .zero).isEmpty)
        #expect(budget.take([long], at: .seconds(12)).map(\.source) == [.board, .output])
    }
}
