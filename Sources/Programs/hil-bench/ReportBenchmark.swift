import Foundation
import HIL
import HILExecution
import HILHistory
import HILPOSIX
import HILPhone
import HILRecord
import HILReports
import TestSupport

/// Measures how long the page of a large run takes, to write and in a browser, and comparing in a long history.
struct ReportBenchmark {
    static let cases = 1000
    static let historyRuns = 1000
    static let historyCases = 100
    static let laneEvents = 5000

    /// A folder for runs; it is removed by the caller.
    let folder: String
    /// The folder of our own programs.
    let programs: String

    /// When the first run began, nanoseconds since 1970.
    private static let start: UInt64 = 1_795_000_000_000_000_000

    /// All figures, in the order of the README's table.
    func measurements(times: Int) async throws -> [Measurement] {
        let record = ReportBenchmark.record(run: 0, cases: ReportBenchmark.cases, steps: 6, in: "\(folder)/large")
        try writeTimelines(of: record)
        var writing: [Double] = []
        for _ in 0..<times { writing.append(try write(record)) }
        var rows = [
            Measurement("the page of a run with 1,000 cases, written with all its files", .atMost(3), "s", writing)
        ]
        if HeadlessBrowser.program == nil {
            print("without Chromium, the times in a browser are left out: \(HeadlessBrowser.whyNot)")
        } else {
            let (first, lanes) = try await inBrowser(times: times)
            rows.append(Measurement("its first screen, from opening to usable, in Chromium", .atMost(1), "s", first))
            rows.append(Measurement("a scenario's lanes with 5,000 events, in Chromium", .atMost(0.5), "s", lanes))
        }
        rows.append(
            Measurement(
                "`hil compare` over a history of 1,000 runs with 100 cases", .atMost(1), "s",
                try await comparing(times: times)))
        return rows
    }

    /// A run in which every tenth case failed.
    private static func record(run: Int, cases: Int, steps: Int, in folder: String) -> RunRecord {
        let began = start + UInt64(run) * 600_000_000_000
        let place = SourceLocation(file: "Scenarios/a.swift", path: "/work/Scenarios/a.swift", line: 7)
        let entries = (1...cases).map { number in
            let scenario = Scenario(
                "Scenario number \(number) does what it says", .tags(.smoke, .pairing),
                .covers("K1", "C\(number % 6 + 1)")
            ) { _ in }
            let named = NamedScenario("generated\(number)", file: "Generated/Generated.swift", scenario)
            return RunInfo.Entry(PlannedScenario(named, scenario.cases[0]))
        }
        var record = RunRecord()
        let info = RunInfo(version: "1", rig: "native", machine: "bench", folder: folder, scenarios: entries)
        record.take(RunLine(time: began, runner: .runBegan(info)))
        for (number, entry) in entries.enumerated() {
            let name = entry.identifier
            func tell(_ event: ScenarioEvent, _ milliseconds: Int) {
                let time = began + UInt64(milliseconds) * 1_000_000
                record.take(RunLine(scenario: name, worker: StampedEvent(time: time, event: event)))
            }
            record.take(RunLine(time: began, scenario: name, runner: .scenarioBegan, rig: 1))
            tell(.bodyBegan(budget: 60), 0)
            for step in 1...steps {
                tell(.stepBegan(name: "step \(step)", budget: 5, at: place, number: step), step * 100)
                let screen = ScreenNote(kind: "picker", title: "Finding Accessories", text: "Finding Accessories")
                tell(.phone(.screen(screen)), step * 100 + 10)
                tell(.expectation(text: "it is what it says", held: true, at: place), step * 100 + 20)
                let seconds = 0.05 + Double((run * 31 + number * 17 + step) % 20) * 0.001
                tell(.stepEnded(name: "step \(step)", seconds: seconds, outcome: .done, number: step), step * 100 + 50)
            }
            let failures = number % 10 == 9 ? [Failure(.product, "expected that it is: got 6, not 5", at: place)] : []
            let result = ScenarioResult(
                Judgement(failures), seconds: 2, bodySeconds: 1,
                evidence: ["capture.pcapng", "story.txt", "timeline.json"])
            record.take(RunLine(time: began + 2_000_000_000, scenario: name, runner: .scenarioEnded(result)))
        }
        record.take(RunLine(time: began + 9_000_000_000, runner: .runEnded(RunEnd(seconds: 9))))
        return record
    }

    /// Each case's `timeline.json`, as large as that of a whole journey; the first has 5,000 events.
    private func writeTimelines(of record: RunRecord) throws {
        for (place, entry) in record.entries.enumerated() {
            let scenario = "\(folder)/large/\(entry.info.folder)"
            try FileManager.default.createDirectory(atPath: scenario, withIntermediateDirectories: true)
            let lanes = ["bluetooth", "bluetooth", "phone", "app", "hostBoard", "accessoryBoard", "wifi", "person"]
            let count = place == 0 ? ReportBenchmark.laneEvents : 600
            let events = (0..<count).map { number -> String in
                let lane = lanes[number % lanes.count]
                let kind = lane.hasSuffix("Board") ? "line" : lane == "bluetooth" || lane == "wifi" ? "packet" : "told"
                let time = ReportBenchmark.start + UInt64(number) * 1_700_000
                return
                    #"{"kind":"\#(kind)","lane":"\#(lane)","source":"\#(lane)","step":1,"t":\#(time),"text":"host HCI ← LE extended advertising report \#(number)"}"#
            }
            let head = #"{"format":2,"scenario":"s","zero":\#(ReportBenchmark.start),"began":0,"ended":0,"events":["#
            try (head + "\n" + events.joined(separator: ",\n") + "\n]}\n")
                .write(toFile: "\(scenario)/timeline.json", atomically: false, encoding: .utf8)
        }
    }

    private func write(_ record: RunRecord) throws -> Double {
        let began = ContinuousClock.now
        let files = PageFiles(folder: "\(folder)/large", root: "/work")
        for entry in record.entries { try files.write(entry, of: record) }
        try files.write(Page([Page.Source(record)], root: "/work"))
        return (ContinuousClock.now - began) / .seconds(1)
    }

    /// Seconds from opening to the first screen, and from asking for a scenario to its lanes.
    @MainActor
    private func inBrowser(times: Int) async throws -> (first: [Double], lanes: [Double]) {
        let browser = try await HeadlessBrowser()
        do {
            try await browser.setWindow(1440, 900)
            let address = URL(fileURLWithPath: "\(folder)/large/index.html").absoluteString
            var (first, lanes): ([Double], [Double]) = ([], [])
            for _ in 0..<times {
                try await browser.open(address, until: "document.documentElement.dataset.ready")
                // Since the browser began to open it, until the frame after the first screen was drawn.
                let shown = """
                    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
                        const paint = performance.getEntriesByType("paint").at(-1)?.startTime ?? 0;
                        done(Math.max(paint, Number(document.documentElement.dataset.ready)));
                    })))
                    """
                first.append((try await browser.evaluate(shown) as? Double ?? .nan) / 1000)
                let asked = """
                    new Promise((done) => {
                        const began = performance.now();
                        location.hash = "#s/generated1";
                        const look = () => document.querySelector(".moment-grid")
                            ? requestAnimationFrame(() => done(performance.now() - began)) : requestAnimationFrame(look);
                        look();
                    })
                    """
                lanes.append((try await browser.evaluate(asked) as? Double ?? .nan) / 1000)
            }
            guard browser.complaints.isEmpty else { throw Impossible(description: "\(browser.complaints)") }
            await browser.close()
            return (first, lanes)
        } catch {
            await browser.close()
            throw error
        }
    }

    /// Seconds of the whole process, from its start to its exit.
    private func comparing(times: Int) async throws -> [Double] {
        let results = "\(folder)/results"
        try FileManager.default.createDirectory(atPath: results, withIntermediateDirectories: true)
        let history = HistoryFile("\(results)/\(HistoryFile.name)")
        _ = try history.use { store throws(HistoryError) in
            for run in 1...ReportBenchmark.historyRuns {
                let folder = "\(results)/run\(run)"
                try store.add(
                    ReportBenchmark.record(run: run, cases: ReportBenchmark.historyCases, steps: 3, in: folder))
            }
        }
        let names = [ReportBenchmark.historyRuns - 1, ReportBenchmark.historyRuns].map { "run\($0)" }
        for (name, run) in zip(names, [ReportBenchmark.historyRuns - 1, ReportBenchmark.historyRuns]) {
            try writeEvents(of: run, to: "\(results)/\(name)")
        }
        var samples: [Double] = []
        for _ in 0..<times {
            let began = ContinuousClock.now
            let child = try ChildProcess.spawn(
                ["\(programs)/hil", "compare"] + names + ["--out", results], streams: [.null, .null, .inherit])
            let status = await child.wait()
            guard status.isSuccess else { throw Impossible(description: "hil compare \(status)") }
            samples.append((ContinuousClock.now - began) / .seconds(1))
        }
        return samples
    }

    /// Writes the `events.jsonl` of a generated run: its results, without the events in between.
    private func writeEvents(of run: Int, to folder: String) throws {
        let record = ReportBenchmark.record(run: run, cases: ReportBenchmark.historyCases, steps: 3, in: folder)
        guard let info = record.info else { return }
        var lines = [RunLine(time: record.began, runner: .runBegan(info))]
        for entry in record.entries {
            guard let result = entry.result else { continue }
            for step in entry.attempts.flatMap(\.steps) {
                let events = [
                    ScenarioEvent.stepBegan(
                        name: step.name, budget: step.budget, at: step.location, number: step.number),
                    .stepEnded(name: step.name, seconds: step.seconds ?? 0, outcome: .done, number: step.number),
                ]
                lines += events.map {
                    RunLine(scenario: entry.info.identifier, worker: StampedEvent(time: step.began, event: $0))
                }
            }
            lines.append(
                RunLine(time: record.began, scenario: entry.info.identifier, runner: .scenarioEnded(result)))
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let text = lines.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        try text.write(toFile: "\(folder)/events.jsonl", atomically: false, encoding: .utf8)
    }
}

/// What made a measurement impossible.
private struct Impossible: Error, CustomStringConvertible {
    let description: String
}
