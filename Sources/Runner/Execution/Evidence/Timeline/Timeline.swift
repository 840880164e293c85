import Foundation
import HIL
import POSIX

/// Every event of every source of one attempt, on one clock: the content of `timeline.json`.
///
/// The file is one JSON object; each event stands on a line of its own, in order of time:
///
/// | member | what |
/// |---|---|
/// | `format` | 1 |
/// | `scenario` | the identifier |
/// | `began`, `ended` | nanoseconds since 1970, of the first and the last event; 0 where there is none |
/// | `events` | objects with `t` (nanoseconds since 1970), `source`, `kind` and `text` |
///
/// Sources are `runner`, `scenario` (steps, expectations, failures), `person`, `phone`, `app`, `die`, `air`, and for what
/// runs on a board its name and the program's: `host/bluetoothd`, `accessory/kernel`.
struct Timeline: Sendable {
    /// One event.
    struct Event: Sendable, Hashable, Codable {
        /// Nanoseconds since 1970.
        var t: UInt64
        var source: String
        /// What sort of event it is, in a word that stays the same: `screen`, `stepBegan`, `line`, `packet`.
        var kind: String
        /// One line for people.
        var text: String
    }

    private(set) var events: [Event] = []

    /// Takes what the runner and the worker told.
    mutating func add(_ story: [RunLine]) {
        for line in story {
            if let event = line.worker.flatMap({ Event($0, at: line.time) }) { events.append(event) }
            if let event = line.runner.flatMap({ Event($0, at: line.time) }) { events.append(event) }
        }
    }

    /// Takes the lines of a board's daemons, and those of its kernel, whose clock counts from the board's start: a line of
    /// the agent tells where it stood when the time was set.
    mutating func add(board: String, journal: [JournalSplitter.Line], kernel: String) {
        events += journal.map { Event(t: $0.t, source: "\(board)/\($0.source)", kind: "line", text: $0.line) }
        guard let start = journal.lazy.compactMap(Timeline.start).last else { return }
        for line in kernel.split(whereSeparator: \.isNewline) {
            guard let match = line.prefixMatch(of: #/\[ *(\d+)\.(\d{6})\] /#), let seconds = UInt64(match.1),
                let micros = UInt64(match.2)
            else { continue }
            let t = start &+ seconds &* 1_000_000_000 &+ micros &* 1000
            let text = String(line[match.range.upperBound...])
            events.append(Event(t: t, source: "\(board)/kernel", kind: "line", text: text))
        }
    }

    /// Takes the packets of the capture.
    mutating func add(capture: [UInt8]) {
        for packet in PcapNGPackets(capture) {
            guard let text = PacketText.line(packet.bytes, of: packet.interface) else { continue }
            events.append(Event(t: packet.time, source: "air", kind: "packet", text: text))
        }
    }

    /// When a board started, nanoseconds since 1970, by a line that tells its uptime.
    private static func start(_ line: JournalSplitter.Line) -> UInt64? {
        guard line.source == "agent", let match = line.line.firstMatch(of: /clock set at uptime (\d+)\.(\d{6})/),
            let seconds = UInt64(match.1), let micros = UInt64(match.2)
        else { return nil }
        return line.t &- seconds &* 1_000_000_000 &- micros &* 1000
    }

    /// The file's content.
    func json(of scenario: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // By place, too: events of one moment keep the order in which they were told.
        let sorted = events.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }.map(\.element)
        func text(_ value: some Encodable) -> String {
            (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
        let head = #"{"format":1,"scenario":\#(text(scenario)),"began":\#(sorted.first?.t ?? 0),"#
        let lines = sorted.map { text($0) }.joined(separator: ",\n")
        return Array((head + #""ended":\#(sorted.last?.t ?? 0),"events":[\#n\#(lines)\#n]}\#n"#).utf8)
    }
}
