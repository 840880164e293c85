import Foundation
import HIL
import HILPOSIX
import HILRecord
import StubRig
import TestSupport
import Testing

@testable import HILExecution

/// The runner with real worker processes.
struct ProcessTests {
    private let results = NSTemporaryDirectory() + "hil-probe-\(UUID().uuidString)"

    /// What an app may expect of the main thread.
    private let mainThread = ["usesMainQueue", "usesMainRunLoop", "runsTheLoopItself"]

    @Test(
        "Crashes, hangs and callbacks each get their verdict, and do not affect the next scenario",
        .timeLimit(.minutes(2)))
    func verdicts() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = ["passes", "traps", "breaksARule", "breaksTheRule", "hangs", "spins"] + mainThread
        let (status, record) = try await RunnerProcess(TestProgram.probe, ["runner", results] + names).end()
        #expect(status == .exited(1))
        #expect(
            record.entries.map { $0.result?.judgement.verdict } == [
                .passed, .failed, .failed, .passed, .failed, .failed, .passed, .passed, .passed,
            ], "\(record.entries.suffix(3).map { $0.result?.judgement.cause?.message })")
        let causes = record.entries.map { $0.result?.judgement.cause?.message ?? "" }
        #expect(
            causes[1].hasPrefix("crashed: ") && causes[1].contains("Index out of range, at Runner/Runner.swift:"),
            "\(causes[1])")
        #expect(causes[2].hasPrefix("crashed: no such key (P1), at Runner/Runner.swift:"), "\(causes[2])")
        let expected = try String(contentsOfFile: "\(results)/latest/breaksTheRule/worker.log", encoding: .utf8)
        #expect(expected.contains("P1 no such key") && !expected.contains("Backtrac"), "\(expected)")
        #expect(causes[4].hasPrefix("missed its budget of 300 ms; it was in “wait for ever” for "), "\(causes[4])")
        #expect(causes[5].hasPrefix("missed its budget of 300 ms; it was in “spin” for "), "\(causes[5])")
        // A backtrace leads to the code that spins. Of what the compiler added to it, there is no line.
        let log = try String(contentsOfFile: "\(results)/latest/spins/worker.log", encoding: .utf8)
        #expect(log.contains(" of static RunnerProbe.spins in hil-probe at "), "\(log.suffix(2000))")
    }

    @Test("User defaults and cookies stay within their run: not even a file of them is left", .timeLimit(.minutes(1)))
    func defaults() async throws {
        let folder = "\(results)-config"
        defer { for path in [results, folder] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for _ in 1...2 {
            let (_, record) = try await RunnerProcess(
                TestProgram.probe, ["runner", results, "keepsDefaults"],
                environment: ["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "HIL_PROBE_CONFIG": folder]
            ).end()
            let judgement = record.entries.first?.result?.judgement
            #expect(judgement?.verdict == .passed, "\(judgement?.failures ?? [])")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }

    @Test(
        "A scenario that asks a rig for what it has not is skipped at that call, with all its evidence",
        .timeLimit(.minutes(1)))
    func skipped() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = [
            "passes", "walksAway", "walksAwayUnseen", "failsAndWalksAway", "walksAwayAndHangs", "walksAwayAndTraps",
        ]
        let (status, record) = try await RunnerProcess(
            TestProgram.probe, ["runner", results] + names, environment: ["RIG": "two-agents"]
        ).end()
        #expect(status == .exited(1))
        #expect(
            record.entries.map { $0.result?.judgement.verdict } == [
                .passed, .skipped, .skipped, .failed, .skipped, .skipped,
            ])
        let reason = "the stub rig lacks an adjustable distance"
        for name in ["walksAway", "walksAwayUnseen", "walksAwayAndHangs", "walksAwayAndTraps"] {
            #expect(record[name]?.result?.judgement.reason?.hasPrefix(reason) == true)
            #expect(record[name]?.result?.judgement.failures == [])
            #expect(record[name]?.result?.evidence.contains("story.txt") == true)
            let story = try String(contentsOfFile: "\(results)/latest/\(name)/story.txt", encoding: .utf8)
            #expect(story.contains("cannot continue: \(reason)"), "\(story)")
        }
        let whole = try await RunnerProcess(TestProgram.probe, ["runner", results, "walksAway"]).end().record
        #expect(whole.entries.map { $0.result?.judgement.verdict } == [.passed])
    }

    @Test("A worker that writes to a lost board survives, and reports an error of the rig", .timeLimit(.minutes(1)))
    func goneBoard() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let (status, record) = try await RunnerProcess(TestProgram.probe, ["runner", results, "writesToNobody"]).end()
        let judgement = try #require(record.entries.first?.result?.judgement)
        #expect(judgement.verdict == .error)
        #expect(judgement.cause?.message.hasSuffix("Broken pipe") == true, "\(judgement)")
        #expect(status == .exited(2))
    }

    @Test(
        "A failed expectation with megabytes of text is reported like any other, with both values",
        .timeLimit(.minutes(1)))
    func megabytes() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let (_, record) = try await RunnerProcess(TestProgram.probe, ["runner", results, "comparesMegabytes"]).end()
        let judgement = try #require(record.entries.first?.result?.judgement)
        #expect(judgement.verdict == .failed)
        let kept = String(repeating: "a", count: 1000)
        let message =
            "expected that they are equal: got \(kept)… 1,047,576 more characters, not \(kept)… 1,047,577 more "
        #expect(judgement.failures.map(\.message) == [message + "characters"])
    }

    @Test(
        "A worker that is started by a runner of another version says at once which met which", .timeLimit(.minutes(1)),
        arguments: [
            (["passes", "0"], "version 0"), (["passes"], "version without a number"),
            (["passes", "{}", "7"], "version 7"),
        ])
    func versions(arguments: [String], runner: String) async throws {
        let events = try Descriptor.pipe()
        let input = try Descriptor.pipe()
        let process = try ChildProcess.spawn(
            [RunnerProcess.path(of: TestProgram.probe), WorkerProcesses.subcommand] + arguments,
            streams: [.descriptor(input.read), .null, .null, .descriptor(events.write)])
        events.write.close()
        var lines = LineSplitter()
        let line = try #require(lines.push(try events.read.read()).first)
        _ = await process.wait()
        #expect(!FileManager.default.fileExists(atPath: "{}"), "another version's argument is no folder of ours")
        guard case .event(let event) = WorkerLine(line), case .failure(let failure) = event.stamped.event else {
            Issue.record("\(String(decoding: line, as: UTF8.self))")
            return
        }
        #expect(failure.kind == .rig)
        #expect(
            failure.message.contains(
                "version \(WorkerMessage.version) of a scenario's events, and its runner reads \(runner)"))
    }

    @Test("A scenario that passes without expectations gets a warning", .timeLimit(.minutes(1)))
    func expectsNothing() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = ["passes", "breaksTheRule", "hangs", "expects"]
        let (_, record) = try await RunnerProcess(TestProgram.probe, ["runner", results] + names).end()
        let warning = "passes expects nothing, so it passes whatever is seen: add lab.expect(…)"
        #expect(record.entries.map(\.info.identifier) == names)
        #expect(record.entries.map { ($0.result?.warnings ?? []).map(\.line) } == [[warning], [], [], []])
    }

    @Test(
        "What the phone showed is drawn though its worker was killed, and warnings stand in the verdict",
        .timeLimit(.minutes(1)))
    func shown() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let (_, record) = try await RunnerProcess(TestProgram.probe, ["runner", results, "showsAndSpins"]).end()
        let result = try #require(record.entries.first?.result)
        #expect(result.judgement.cause?.message.hasPrefix("missed its budget") == true)
        let warning = Warning(rule: "P5", "d1ce is not in upper case: write it so")
        #expect(result.warnings == [warning])
        let folder = "\(results)/latest/showsAndSpins"
        let names = ["01-passkey", "02-discovery-timeout"].flatMap { ["\($0).dark.svg", "\($0).light.svg"] }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/screens").sorted() == names)
        #expect(result.evidence.contains("screens/01-passkey.light.svg"))
        let drawn = try String(contentsOfFile: "\(folder)/screens/01-passkey.dark.svg", encoding: .utf8)
        #expect(drawn.contains("012 345") && drawn.hasSuffix("</svg>\n"))
        let story = try String(contentsOfFile: "\(folder)/story.txt", encoding: .utf8)
        #expect(story.contains("No Accessory Found → screens/02-discovery-timeout.light.svg"))
        #expect(story.contains("    warning (P5): d1ce is not in upper case: write it so\n"), "\(story)")
        let verdict = try String(contentsOfFile: "\(folder)/verdict.json", encoding: .utf8)
        #expect(verdict.contains("\"rule\" : \"P5\""))
        // The files of the pictures are fields of the record and of the timeline.
        let pictures = ["01-passkey", "02-discovery-timeout"].enumerated().map { place, name in
            ScreenPicture(
                number: place + 1, light: "screens/\(name).light.svg", dark: "screens/\(name).dark.svg")
        }
        #expect(record.entries.first?.attempts.first?.screens.map(\.value.picture) == pictures)
        let timeline = try String(contentsOfFile: "\(folder)/timeline.json", encoding: .utf8)
        #expect(timeline.contains(#"{"file":"screens/01-passkey.light.svg","kind":"screen","lane":"phone","source":"#))
    }

    @Test("SIGINT ends worker and runner, and finished scenarios are reported", .timeLimit(.minutes(1)))
    func interrupted() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let probe = try RunnerProcess(TestProgram.probe, ["runner", results, "passes", "waits", "usesMainQueue"])
        try await probe.step(of: "waits")
        let family = probe.family()
        #expect(family.count == 2)
        probe.process.signal(SIGINT)
        let (status, record) = await probe.end()
        #expect(status == .exited(130))
        #expect(record.end?.signal == SIGINT)
        #expect(record.entries[0].result?.judgement.verdict == .passed)
        let junit = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
        #expect(junit.contains("hil.interrupted"))
        #expect(!family.contains { $0.isRunning })
    }

    @Test("A runner that is killed leaves its finished verdicts, and no worker", .timeLimit(.minutes(1)))
    func killed() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let probe = try RunnerProcess(TestProgram.probe, ["runner", results, "passes", "spinsOn"])
        try await probe.step(of: "spinsOn")
        let family = probe.family()
        #expect(family.count == 2)
        probe.process.signal(SIGKILL)
        _ = await probe.end()
        let junit = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
        #expect(junit.contains("<testcase classname=\"Passes\""))
        #expect(junit.contains("errors=\"1\"") && junit.contains("type=\"NotRun\""))
        let events = try String(contentsOfFile: "\(results)/latest/events.jsonl", encoding: .utf8)
        #expect(events.contains("scenarioEnded"))
        try await waitForEnd(of: family.filter(\.isRunning).map(\.identifier), within: .seconds(20))
    }
}
