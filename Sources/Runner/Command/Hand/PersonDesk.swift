import Foundation
import HIL
import HILBench
import HILExecution
import HILPOSIX
import HILReports

/// Where the person with the phone is asked: at the terminal, in a file, or a program in their place.
protocol PersonDesk: Sendable {
    /// Says something, or asks it.
    ///
    /// - Parameter folder: The attempt's folder, which has the pictures.
    /// - Returns: The answer; nil if nothing was asked, or the run is over.
    func take(_ turn: HandTurn, in folder: String) async -> HandReply?

    /// Nobody is asked any more.
    func close()
}

extension HandPerson {
    /// The desk for a run; nil if no person has the phone.
    ///
    /// - Throws: ``UsageError`` if there are no answers to read.
    func desk(
        for rig: RigRequest?, _ interruption: Interruption, _ reports: ReportWriter
    ) throws -> (any PersonDesk)? {
        guard case .hand? = rig else { return nil }
        switch self {
        case .atTerminal: return try PersonAtTerminal(interruption, reports)
        case .program(let command): return PersonProgram(command)
        case .file(let path): return try PersonInFile(path)
        }
    }
}

extension HandTurn {
    func answered(_ answer: HandAnswer) -> HandReply { HandReply(to: number, answer) }

    /// The answer to a turn that a file does not have: nothing was confirmed.
    func unanswered(_ why: String) -> HandReply? {
        if answers.isEmpty { return nil }
        Command.complain("\(why), so this counts as no: \(text)")
        return answered(.no)
    }

    /// The reply when a program in the person's place is at fault: it says nothing about the accessory.
    func failed(_ why: String) -> HandReply? {
        answers.isEmpty ? nil : HandReply(to: number, .no, problem: why)
    }
}

/// Answers in a file, one on each line: `done`, `yes`, `no`, `skip` or `wait`. Empty lines, and those that begin
/// with #, are left out.
final class PersonInFile: PersonDesk {
    private let answers: EventQueue<HandAnswer>

    init(_ path: String) throws(UsageError) {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw UsageError(description: "the answers cannot be read: \(path)")
        }
        answers = EventQueue(try PersonInFile.answers(in: text, of: path))
    }

    /// The answers in a text.
    static func answers(in text: String, of path: String) throws(UsageError) -> [HandAnswer] {
        var answers: [HandAnswer] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let word = line.trimmingCharacters(in: .whitespaces)
            if word.isEmpty || word.hasPrefix("#") { continue }
            guard let answer = HandAnswer(rawValue: word) else {
                let words = HandAnswer.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    description:
                        "\(path), line \(number + 1): an answer is one of \(words), not "
                        + "“\(PlainText.cut(word, to: 40))”"
                )
            }
            answers.append(answer)
        }
        return answers
    }

    func take(_ turn: HandTurn, in folder: String) async -> HandReply? {
        guard !turn.answers.isEmpty else { return nil }
        guard let answer = answers.next() else { return turn.unanswered("the file has no more answers") }
        guard turn.answers.contains(answer) else {
            return turn.unanswered("the file says “\(answer.rawValue)” here")
        }
        return turn.answered(answer)
    }

    func close() {}
}
