import BoardProtocol
import Foundation
import HIL
import POSIX
import Phone
import PlainText
import ScreenDrawing

/// Every event of every source of one attempt, on one clock: the content of `timeline.json`.
///
/// The file is one JSON object; each event stands on a line of its own, in order of time:
///
/// | member | what |
/// |---|---|
/// | `format` | 1 |
/// | `scenario` | the identifier |
/// | `began`, `ended` | nanoseconds since 1970, of the first and the last event; 0 where there is none |
/// | `zero` | nanoseconds since 1970, from which story and console count: when the scenario began |
/// | `events` | objects with `t` (nanoseconds since 1970), `source`, `kind` and `text` |
///
/// Sources are `runner`, `scenario` (steps, expectations, failures), `person`, `phone`, `app`, `air`, the kind of accessory in a
/// word (`lamp`), and for what runs on a board its name and the program's: `host/bluetoothd`, `accessory/kernel`.
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
    /// How many screens of the phone were told.
    private var screens = 0

    /// Takes what the runner and the worker told.
    mutating func add(_ story: [RunLine]) {
        var owners = AddressOwners(story)
        for line in story {
            if var event = line.worker.flatMap({ Event($0, at: line.time) }) {
                if let told = line.worker { event.text = owners.named(event.text, of: told) }
                if case .phone(.screen(let screen?))? = line.worker { event.text += drawing(of: screen) }
                events.append(event)
            }
            if let event = line.runner.flatMap({ Event($0, at: line.time) }) { events.append(event) }
        }
    }

    /// Where a screen is drawn, which was the next to be shown.
    private mutating func drawing(of screen: Screen) -> String {
        screens += 1
        guard screens <= ScreenDrawing.mostScreens else { return "" }
        return " → \(Evidence.screens)/\(ScreenDrawing.name(of: screen, number: screens)).light.svg"
    }

    /// Takes the lines of a board's daemons, and those of its kernel, whose clock counts from the board's start: a line of
    /// the agent tells where it stood when the time was set.
    mutating func add(board: String, journal: [JournalLine], kernel: String) {
        events += journal.map {
            Event(t: $0.t, source: "\(board)/\($0.source)", kind: "line", text: PlainText.line($0.line))
        }
        guard let start = journal.lazy.compactMap({ line in line.clockSet.map { line.t &- $0.uptime } }).last else {
            return
        }
        for line in kernel.split(whereSeparator: \.isNewline) {
            guard let match = line.prefixMatch(of: #/\[ *(\d+)\.(\d{6})\] /#), let seconds = UInt64(match.1),
                let micros = UInt64(match.2)
            else { continue }
            let t = start &+ seconds &* 1_000_000_000 &+ micros &* 1000
            let text = PlainText.line(String(line[match.range.upperBound...]))
            events.append(Event(t: t, source: "\(board)/kernel", kind: "line", text: text))
        }
    }

    /// Takes the packets of the capture.
    mutating func add(capture: [UInt8]) {
        for packet in PcapNGPackets(capture) {
            guard let text = PacketText.line(packet.bytes, of: packet.interface) else { continue }
            events.append(Event(t: packet.time, source: "air", kind: "packet", text: PlainText.line(text)))
        }
    }

    /// In order of time; events of one moment keep the order in which they were told. Whatever put their texts together,
    /// they steer nothing.
    private var sorted: [Event] {
        events.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }.map { _, event in
            Event(t: event.t, source: event.source, kind: event.kind, text: PlainText.lines(event.text))
        }
    }

    /// The content of `story.txt`: what the scenario, the person, the phone, the app and the accessory did, for people, without
    /// packets and logs, and what came of it. Times are seconds since the scenario began, or since the first event where it
    /// never did; the first lines say when that was, by the clock of capture and timeline.
    func story(titled title: String, _ judgement: Judgement?) -> String {
        let told = sorted.filter { $0.kind != "line" && $0.kind != "packet" }
        let start = zero
        let width = told.map(\.source.count).max() ?? 0
        let lines = told.map { event in
            let seconds = (Double(Int64(bitPattern: event.t &- start)) * 1e-9).formatted(decimals: 3)
            let time = String(repeating: " ", count: max(0, 8 - seconds.count)) + seconds
            let source = event.source + String(repeating: " ", count: width - event.source.count)
            let words =
                event.text.hasPrefix("\(event.source): ")
                ? event.text.dropFirst(event.source.count + 2) : event.text[...]
            // Further lines of one event cannot be taken for events.
            let text = words.replacing("\n", with: "\n" + String(repeating: " ", count: width + 13))
            return "\(event.kind == "failure" ? "!" : " ")\(time)  \(source)  \(text)\n"
        }
        let reasons = (judgement?.failures ?? []).map { failure in
            "    \(PlainText.lines(failure.message).replacing("\n", with: "\n    "))\n"
        }
        var warnings: [String] = []
        for event in told where event.kind == "warning" && !warnings.contains("    \(event.text)\n") {
            warnings.append("    \(event.text)\n")
        }
        let verdict = judgement?.verdict.rawValue ?? "interrupted"
        let clock =
            told.isEmpty ? "" : "0.000 is \(JournalSplitter.timestamp(start)), \(start) in capture and timeline\n"
        return "\(PlainText.line(title))\n\(clock)\n\(lines.joined())\n\(verdict)\n\((reasons + warnings).joined())"
    }

    /// The moment from which people count: when the scenario began, or the first event's where it never did.
    private var zero: UInt64 {
        let told = sorted.filter { $0.kind != "line" && $0.kind != "packet" }
        return told.first { $0.kind == "bodyBegan" }?.t ?? told.first?.t ?? 0
    }

    /// The content of `timeline.json`.
    func json(of scenario: String) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let sorted = sorted
        func text(_ value: some Encodable) -> String {
            (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
        let head = #"{"format":1,"scenario":\#(text(scenario)),"zero":\#(zero),"began":\#(sorted.first?.t ?? 0),"#
        let lines = sorted.map { text($0) }.joined(separator: ",\n")
        return Array((head + #""ended":\#(sorted.last?.t ?? 0),"events":[\#n\#(lines)\#n]}\#n"#).utf8)
    }
}
