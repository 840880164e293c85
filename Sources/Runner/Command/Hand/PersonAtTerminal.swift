import Foundation
import HIL
import HILExecution
import HILPOSIX
import HILReports
import HILTiming

/// A person at the terminal. They have as much time as they want.
final class PersonAtTerminal: PersonDesk {
    private let interruption: Interruption
    private let reports: ReportWriter
    private let lines = EventLog<String>(keepingAtMost: 100)

    /// Reads standard input from now on.
    init(_ interruption: Interruption, _ reports: ReportWriter) {
        (self.interruption, self.reports) = (interruption, reports)
        startThread(named: "person") { [lines] in
            while let line = readLine() { lines.append(line) }
            lines.finish(throwing: CancellationError())
        }
    }

    func take(_ turn: HandTurn, in folder: String) async -> HandAnswer? {
        guard !turn.answers.isEmpty else { return nil }
        var text = PersonAtTerminal.text(of: turn, in: folder)
        while interruption.cause == nil {
            let place = lines.count
            let said = await ask(text, from: place)
            if interruption.cause != nil { return nil }
            guard let said else { return turn.unanswered("nobody is at the terminal") }
            if let answer = turn.answer(for: said) { return answer }
            text = PersonAtTerminal.choices(of: turn)
        }
        return nil
    }

    func close() {}

    private func ask(_ text: String, from place: Int) async -> String? {
        let answer = EventLog<String?>()
        await reports.pause(text) { [lines, interruption] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { answer.append(try? await lines.first(from: place).event) }
                group.addTask { try? await interruption.wait() }
                await group.next()
                group.cancelAll()
            }
        }
        return answer.events.first ?? nil
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
        case .act: "   [Enter] done   [n] not possible   [s] this phone cannot do it: "
        case .late: "   [Enter] wait on   [n] it did not come: "
        default: "   [y] yes   [n] no   [s] I cannot see it: "
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
