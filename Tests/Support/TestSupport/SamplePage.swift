import Foundation
import HILRecord

/// Runs for the tests of the page.
package enum SamplePage {
    /// When the runs begin, nanoseconds since 1970.
    package static let start: UInt64 = 1_768_383_015_000_000_000
    package static let hostile =
        "</script><script>fail()</script><img src=x onerror=fail()> & ]]> --> <!-- \u{0}\u{1B}[31m\u{202E}\u{2028} ‹ü› 🙈\n\"'`${fail()}"

    /// A run in which every scenario has this result, with these texts.
    package static func record(
        _ names: [String], failing: Set<String> = [], title: String = "It does what it says",
        cause: String = "it does not", bench: String? = nil,
        folder: String = "/work/results/20260114-093015-k3v9", tags: [String] = ["smoke"]
    ) -> RunRecord {
        var record = RunRecord()
        let entries = names.map { name in
            RunInfo.Entry(
                identifier: name, title: title, file: "Scenarios/Family/\(name)", line: 1, tags: ["smoke"],
                rules: ["K1", "K2"], folder: name, replay: "make hil SCENARIOS=\(name)")
        }
        var info = RunInfo(version: "1", rig: "virtual", machine: "bench", folder: folder, scenarios: entries)
        info.options.firmware = "1.4.2-rc3"
        record.take(RunLine(time: start, runner: .runBegan(info)))
        for entry in entries {
            take(entry.identifier, failing.contains(entry.identifier) ? cause : nil, bench, into: &record)
        }
        record.take(RunLine(time: start + 9_000_000_000, runner: .runEnded(RunEnd(seconds: 9))))
        return record
    }

    /// One scenario: a step, a screen, an expectation, and perhaps a failure.
    private static func take(_ name: String, _ cause: String?, _ bench: String?, into record: inout RunRecord) {
        let place = SourceLocation(file: "Scenarios/a.swift", path: "/work/Scenarios/a.swift", line: 7)
        record.take(RunLine(time: start, scenario: name, runner: .scenarioBegan, rig: 1))
        var events: [ScenarioEvent] = [
            .bodyBegan(budget: 60), .stepBegan(name: "pick", budget: 5, at: place, number: 1),
            .phone(.screen(ScreenNote(kind: "picker", title: "Finding Accessories", text: "Finding Accessories"))),
            .drawn(ScreenPicture(number: 1, light: "screens/01-picker.light.svg", dark: "screens/01-picker.dark.svg")),
            .expectation(text: "the die is found", held: cause == nil, at: place),
        ]
        var failures: [Failure] = []
        if let cause {
            failures = [Failure(.product, cause, at: place)]
            events.append(.failure(failures[0]))
        }
        events.append(.stepEnded(name: "pick", seconds: 0.5, outcome: cause == nil ? .done : .threw, number: 1))
        for (number, event) in events.enumerated() {
            let time = start + UInt64(number + 1) * 100_000_000
            record.take(RunLine(scenario: name, worker: StampedEvent(time: time, event: event)))
        }
        // From a twentieth of a second to four tenths after the body began.
        let wait = ScenarioEvent.waited(what: "the die to be bonded", seconds: 0.35)
        record.take(RunLine(scenario: name, worker: StampedEvent(time: start + 500_000_000, event: wait)))
        var result = ScenarioResult(
            Judgement(failures), seconds: 2, bodySeconds: 1, evidence: ["capture.pcapng", "story.txt", "timeline.json"])
        result.rig = bench
        record.take(RunLine(time: start + 2_000_000_000, scenario: name, runner: .scenarioEnded(result)))
    }

    /// The content of a `timeline.json` whose events have these texts, a tenth of a second apart.
    package static func timeline(_ texts: [(lane: String, kind: String, text: String)], count: Int? = nil) -> Data {
        let zero = start + 100_000_000
        let lines = (0..<(count ?? texts.count)).map { number -> String in
            let (lane, kind, text) = texts[number % texts.count]
            let time = zero + UInt64(number) * (count == nil ? 100_000_000 : 2_000_000)
            let escaped = (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
            let step = lane == "runner" ? "" : #","step":1"#
            return #"{"t":\#(time),"source":"\#(lane)","lane":"\#(lane)","kind":"\#(kind)","text":\#(escaped)\#(step)}"#
        }
        return Data(
            #"{"format":2,"scenario":"s","zero":\#(zero),"began":\#(zero),"ended":\#(zero),"events":[\#n\#(lines.joined(separator: ",\n"))\#n]}"#
                .utf8)
    }
}
