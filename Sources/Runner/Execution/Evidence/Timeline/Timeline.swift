import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord

/// Every event of every source of one attempt, on one clock: the content of `timeline.json`, whose format is that of
/// `TimelineEvent`.
struct Timeline: Sendable {
    typealias Event = TimelineEvent

    private(set) var events: [Event] = []
    /// The number of screens so far.
    private var screens = 0

    /// Adds the events of the runner and the worker.
    mutating func add(_ story: [RunLine]) {
        var owners = AddressOwners(story)
        let drawn = Timeline.drawn(in: story)
        for line in story {
            if var event = line.worker.flatMap({ Event($0, at: line.time) }) {
                if let told = line.worker { event.text = owners.named(event.text, of: told) }
                if case .phone(.screen(_?))? = line.worker {
                    screens += 1
                    event.file = drawn[screens]?.light
                    event.text += event.file.map { " → \($0)" } ?? ""
                }
                events.append(event)
            }
            if let event = line.runner.flatMap({ Event($0, at: line.time) }) { events.append(event) }
        }
    }

    /// The drawings of screens, by their numbers.
    private static func drawn(in story: [RunLine]) -> [Int: ScreenPicture] {
        story.reduce(into: [:]) { if case .drawn(let picture)? = $1.worker { $0[picture.number] = picture } }
    }

    /// Adds the lines of a board's daemons and kernel. The kernel's clock counts from the board's start; a line of the
    /// agent says what that clock showed when the time was set.
    mutating func add(board: String, journal: [JournalLine], kernel: String) {
        let lane: TimelineEvent.Lane = board == "host" ? .hostBoard : .accessoryBoard
        // The lines of the accessory's program are in the story of the scenario, under the program's name.
        events += journal.filter { $0.source != "program" }.map {
            Event(t: $0.t, source: "\(board)/\($0.source)", kind: "line", text: PlainText.line($0.line), lane: lane)
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
            events.append(Event(t: t, source: "\(board)/kernel", kind: "line", text: text, lane: lane))
        }
    }

    /// Adds the packets of the capture.
    mutating func add(capture: [UInt8]) {
        for (place, packet) in PcapNGPackets(capture).enumerated() {
            guard let text = PacketText.line(packet.bytes, of: packet.interface) else { continue }
            events.append(
                Event(
                    t: packet.time, source: "air", kind: "packet", text: PlainText.line(text),
                    lane: packet.interface == 2 ? .wifi : .bluetooth,
                    to: PacketText.receiver(of: packet.bytes, of: packet.interface), frame: place + 1))
        }
    }

    /// The events in order of time; events of the same moment keep the order in which they were added. Each has the
    /// innermost step that is open then. Control characters are removed from their texts.
    private var sorted: [Event] {
        var open: [Int] = []
        return events.enumerated().sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }.map { _, event in
            var event = event
            event.text = PlainText.lines(event.text)
            event.to = event.to.map(PlainText.line)
            if let step = event.step {
                if event.kind == "stepBegan" { open.append(step) } else { open.removeAll { $0 == step } }
            }
            event.step = event.step ?? open.last
            return event
        }
    }

    /// The content of `story.txt`, for people: the events of scenario, person, phone, app and accessory without
    /// packets and logs, and the verdict.
    ///
    /// Times are seconds since the scenario began, or since the first event if it never began. The first lines give
    /// that moment by the clock of capture and timeline.
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
            // Indented, so that further lines of an event do not look like events.
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

    /// The moment from which times count: when the scenario began, or the first event if it never began.
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
        let head =
            #"{"format":\#(TimelineEvent.format),"scenario":\#(text(scenario)),"zero":\#(zero),"began":\#(sorted.first?.t ?? 0),"#
        let lines = sorted.map { text($0) }.joined(separator: ",\n")
        return Array((head + #""ended":\#(sorted.last?.t ?? 0),"events":[\#n\#(lines)\#n]}\#n"#).utf8)
    }
}
