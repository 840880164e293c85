import Foundation
import POSIX

/// Makes a log of each daemon out of a board's journal.
///
/// A journal's line is a JSON object: `{"t": nanoseconds since 1970, "source": "bluetoothd", "line": "…"}`.
enum JournalSplitter {
    struct Line: Decodable, Sendable {
        /// Nanoseconds since 1970.
        let t: UInt64
        /// The program that said it.
        let source: String
        let line: String
    }

    /// Where lines go that are no journal's.
    private static let unreadable = "unreadable"

    /// The text of each log by its name, in the journal's order; a line that cannot be read goes to `unreadable`.
    static func logs(of journal: [UInt8]) -> [String: String] {
        var logs: [String: String] = [:]
        let decoder = JSONDecoder()
        for bytes in journal.split(separator: UInt8(ascii: "\n")) {
            if let line = try? decoder.decode(Line.self, from: Data(bytes)) {
                logs[name(line.source), default: ""] += "\(timestamp(line.t)) \(line.line)\n"
            } else {
                logs[unreadable, default: ""] += String(decoding: bytes, as: UTF8.self) + "\n"
            }
        }
        return logs
    }

    /// Writes the logs of `folder/journal.jsonl` beside it, and removes the journal, of which nothing is lost then.
    ///
    /// - Returns: The journal's lines, under the names of their logs, for the timeline.
    static func split(in folder: String) throws(SystemError) -> [Line] {
        let journal = "\(folder)/journal.jsonl"
        guard let bytes = FileManager.default.contents(atPath: journal) else { return [] }
        let decoder = JSONDecoder()
        let lines = bytes.split(separator: UInt8(ascii: "\n")).compactMap { bytes -> Line? in
            guard let line = try? decoder.decode(Line.self, from: Data(bytes)) else { return nil }
            return Line(t: line.t, source: name(line.source), line: line.line)
        }
        for (name, text) in logs(of: [UInt8](bytes)) { try replaceFile("\(folder)/\(name).log", with: text.utf8) }
        unlink(journal)
        return lines
    }

    /// Only what a file name may hold: the source comes from a board.
    private static func name(_ source: String) -> String {
        let kept = source.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.prefix(40)
        return kept.isEmpty ? unreadable : String(kept)
    }

    /// `2026-01-14T09:30:15.123456Z`.
    static func timestamp(_ nanoseconds: UInt64) -> String {
        var time = time_t(nanoseconds / 1_000_000_000)
        var parts = tm()
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let seconds = String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let micros = String(nanoseconds % 1_000_000_000 / 1000)
        return "\(seconds).\(String(repeating: "0", count: 6 - micros.count))\(micros)Z"
    }
}
