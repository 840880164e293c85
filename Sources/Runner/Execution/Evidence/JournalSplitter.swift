import BoardProtocol
import Foundation
import POSIX
import PlainText

/// Makes a log of each daemon out of a board's journal.
enum JournalSplitter {
    /// The daemon of every board that runs from before a scenario to its end: an empty log tells that it had nothing to say.
    private static let steady = "bluetoothd"
    /// Where lines go that are no journal's.
    private static let unreadable = "unreadable"

    /// The text of each log by its name, in the journal's order; a line that cannot be read goes to `unreadable`.
    static func logs(of journal: [UInt8]) -> [String: String] {
        let (lines, rest) = read(journal)
        var logs: [String: String] = rest.isEmpty ? [:] : [unreadable: rest]
        for line in lines { logs[line.source, default: ""] += "\(timestamp(line.t)) \(PlainText.line(line.line))\n" }
        return logs
    }

    /// The lines under the names of their logs, and those that cannot be read as they are.
    private static func read(_ journal: [UInt8]) -> (lines: [JournalLine], rest: String) {
        let decoder = JSONDecoder()
        var lines: [JournalLine] = []
        var rest = ""
        for bytes in journal.split(separator: UInt8(ascii: "\n")) {
            if var line = try? decoder.decode(JournalLine.self, from: Data(bytes)) {
                line.source = name(line.source)
                lines.append(line)
            } else {
                rest += String(decoding: bytes, as: UTF8.self) + "\n"
            }
        }
        return (placed(lines), rest)
    }

    /// Writes the logs of `folder/journal.jsonl` beside it, and removes the journal, of which nothing is lost then.
    ///
    /// - Returns: The journal's lines, under the names of their logs, for the timeline.
    static func split(in folder: String) throws(SystemError) -> [JournalLine] {
        let journal = "\(folder)/journal.jsonl"
        guard let bytes = FileManager.default.contents(atPath: journal) else { return [] }
        let logs = [steady: ""].merging(logs(of: [UInt8](bytes))) { $1 }
        for (name, text) in logs { try replaceFile("\(folder)/\(name).log", with: text.utf8) }
        unlink(journal)
        return read([UInt8](bytes)).lines
    }

    /// The lines with the times that they would have, had the board's clock been right from the start: the agent tells by how
    /// much it was set first. Later ones, of a clock that jumps on request, stay as they are. Pure.
    static func placed(_ lines: [JournalLine]) -> [JournalLine] {
        guard let place = lines.firstIndex(where: { $0.clockSet != nil }), let set = lines[place].clockSet else {
            return lines
        }
        let before = lines[..<place].map { line in
            JournalLine(t: line.t &+ UInt64(bitPattern: set.jump), source: line.source, line: line.line)
        }
        return before + lines[place...]
    }

    /// Only what a file name may hold: the source comes from a board.
    private static func name(_ source: String) -> String {
        let kept = source.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(40)
        return kept.isEmpty ? unreadable : String(kept)
    }

    /// `2026-01-14T09:30:15.123456Z`.
    static func timestamp(_ nanoseconds: UInt64) -> String {
        let seconds = calendarText(Int(nanoseconds / 1_000_000_000), "%Y-%m-%dT%H:%M:%S")
        let micros = String(nanoseconds % 1_000_000_000 / 1000)
        return "\(seconds).\(String(repeating: "0", count: 6 - micros.count))\(micros)Z"
    }
}
