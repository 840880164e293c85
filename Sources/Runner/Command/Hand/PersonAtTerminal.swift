import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILReports
import HILTiming
import Synchronization

/// A person at the terminal, or at a page. They have as much time as they want; the first answer counts.
final class PersonAtTerminal: PersonDesk {
    private let interruption: Interruption
    private let reports: ReportWriter
    private let page: HandPage
    private let lines = EventLog<String>(keepingAtMost: 100)
    /// The home's network that the person was told of last.
    private let home = Mutex(HandHome?.none)

    /// Reads standard input from now on, and serves the page.
    init(_ interruption: Interruption, _ reports: ReportWriter) throws {
        (self.interruption, self.reports) = (interruption, reports)
        let (page, address) = try HandPage.open()
        self.page = page
        Command.complain("answer here, or at \(address)")
        startThread(named: "person") { [lines] in
            while let line = readLine() { lines.append(line) }
            Command.complain("standard input has ended: answer at the page")
        }
    }

    func take(_ turn: HandTurn, in folder: String) async -> HandReply? {
        page.show(turn, in: folder)
        guard !turn.answers.isEmpty else {
            if turn.kind == .tell { await reports.pause("   \(PlainText.line(turn.text))\n\(news(of: turn.home))") {} }
            return nil
        }
        var text = PersonAtTerminal.text(of: turn, in: folder)
        let replies = page.replies.count
        while interruption.cause == nil {
            if let answer = await ask(turn, text, lines.count, replies) { return turn.answered(answer) }
            text = PersonAtTerminal.choices(of: turn)
        }
        return nil
    }

    /// A line about the home's network, if it is another one than before; else nothing.
    private func news(of home: HandHome?) -> String {
        let isNew = self.home.withLock { last in
            defer { last = home }
            return last != home
        }
        return isNew ? home.map { "   \(PlainText.line($0.text))\n" } ?? "" : ""
    }

    func close() { page.close() }

    /// Waits for a line or an answer of the page; nil if the line is no answer, or at the end of the run.
    private func ask(_ turn: HandTurn, _ text: String, _ place: Int, _ replies: Int) async -> HandAnswer? {
        let answers = EventLog<HandAnswer?>()
        await reports.pause(text) { [lines, interruption, page] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    guard let line = try? await lines.first(from: place).event else { return }
                    answers.append(turn.answer(for: line))
                }
                group.addTask {
                    let reply = try? await page.replies.first(from: replies) {
                        $0.number == turn.number && turn.answers.contains($0.answer)
                    }
                    if let reply { answers.append(reply.event.answer) }
                }
                group.addTask { try? await interruption.wait() }
                await group.next()
                group.cancelAll()
            }
        }
        return answers.events.first ?? nil
    }

    /// What the person reads.
    static func text(of turn: HandTurn, in folder: String) -> String {
        var lines = ["\(turn.number). \(PlainText.line(turn.text))"]
        if let picture = turn.picture {
            lines.append("   the simulated phone showed \(folder)/\(picture.light)")
        }
        return (lines + [choices(of: turn)]).joined(separator: "\n")
    }

    private static func choices(of turn: HandTurn) -> String {
        switch turn.kind {
        case .act: "   [Enter] done   [n] not possible   [s] this phone cannot do it\n"
        case .late: "   [Enter] wait on   [n] it did not come\n"
        default: "   [y] yes   [n] no   [s] I cannot see it\n"
        }
    }
}

extension HandTurn {
    /// The answer that a line from a terminal means; nil if it means none. A question needs a clear yes.
    func answer(for line: String) -> HandAnswer? {
        let word = line.trimmingCharacters(in: .whitespaces).lowercased()
        let answer: HandAnswer? =
            switch word {
            case "": kind == .act ? .done : kind == .late ? .wait : nil
            case "y": .yes
            case "n": .no
            case "s": .skip
            case "d": .done
            case "w": .wait
            default: HandAnswer(rawValue: word)
            }
        return answer.flatMap { answers.contains($0) ? $0 : nil }
    }
}
