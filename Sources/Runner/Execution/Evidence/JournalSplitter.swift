import BoardProtocol
import Foundation
import HILPOSIX

/// Splits a board's journal into one log per daemon.
enum JournalSplitter {
    /// The daemon that runs on an accessory board for the whole scenario. It gets a log even if it wrote nothing.
    private static let alwaysRunning = "bluetoothd"
    /// The name of the log for lines that cannot be read.
    private static let unreadable = "unreadable"

    /// The text of each log by its name, in the journal's order. Unreadable lines go to the log `unreadable`.
    static func logs(of journal: [UInt8]) -> [String: String] {
        let (lines, rest) = read(journal)
        var logs: [String: String] = rest.isEmpty ? [:] : [unreadable: rest]
        for line in lines { logs[line.source, default: ""] += "\(timestamp(line.t)) \(PlainText.line(line.line))\n" }
        return logs
    }

    /// The lines with the names of their logs as source, and the text of the unreadable lines.
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

    /// Writes the logs of `folder/journal.jsonl` beside it, and removes the journal, whose content is then in the logs.
    ///
    /// - Parameter board: Whose journal it is.
    /// - Returns: The journal's lines with the names of their logs as source, for the timeline.
    static func split(in folder: String, of board: BoardRole) throws(SystemError) -> [JournalLine] {
        let journal = "\(folder)/journal.jsonl"
        guard let bytes = CappedLog(journal).read()?.bytes else { return [] }
        let silent = board == .accessory ? [alwaysRunning: ""] : [:]
        let logs = silent.merging(logs(of: bytes)) { $1 }
        for (name, text) in logs { try replaceFile("\(folder)/\(name).log", with: text.utf8) }
        unlink(journal)
        return read(bytes).lines
    }

    /// The lines with corrected times: those before the board's clock was first set are moved by the jump that the
    /// agent reports. Later jumps, of a clock that a scenario sets, are kept.
    static func placed(_ lines: [JournalLine]) -> [JournalLine] {
        guard let index = lines.firstIndex(where: { $0.clockSet != nil }), let set = lines[index].clockSet else {
            return lines
        }
        let before = lines[..<index].map { line in
            JournalLine(t: line.t &+ UInt64(bitPattern: set.jump), source: line.source, line: line.line)
        }
        return before + lines[index...]
    }

    /// A safe file name for a source, because the source comes from a board.
    private static func name(_ source: String) -> String {
        let kept = source.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(40)
        return kept.isEmpty ? unreadable : String(kept)
    }

    /// A moment in UTC as text: `2026-01-14T09:30:15.123456Z`.
    static func timestamp(_ nanoseconds: UInt64) -> String {
        let seconds = calendarText(Int(nanoseconds / 1_000_000_000), "%Y-%m-%dT%H:%M:%S")
        return "\(seconds).\((nanoseconds % 1_000_000_000 / 1000).padded(to: 6))Z"
    }
}
