import Foundation
import POSIX
import Testing
import Timing

@testable import Execution

/// The runner with real workers: what a process alone can show.
struct ProcessTests {
    private let results = NSTemporaryDirectory() + "hil-probe-\(UUID().uuidString)"

    /// A runner under way.
    private final class Probe: Sendable {
        let process: ChildProcess
        let lines = EventLog<RunLine>()

        init(_ results: String, _ scenarios: [String]) throws {
            let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            let pipe = try Descriptor.pipe()
            process = try ChildProcess.spawn(
                [program.appendingPathComponent("runner-probe").path, results] + scenarios,
                streams: [.null, .descriptor(pipe.write), .null])
            pipe.write.close()
            startThread(named: "probe") { [lines] in
                var reader = LineReader()
                while let bytes = try? pipe.read.read(), !bytes.isEmpty {
                    for line in reader.push(bytes) {
                        if let line = try? JSONDecoder().decode(RunLine.self, from: Data(line)) { lines.append(line) }
                    }
                }
                lines.finish(throwing: CancellationError())
            }
        }

        /// What is known when the process has ended.
        func end() async -> (status: POSIX.ExitStatus, record: RunRecord) {
            let status = await process.wait()
            _ = try? await lines.first(within: .seconds(30), waitingFor: "the end", where: { _ in false })
            var record = RunRecord()
            for line in lines.events { record.take(line) }
            return (status, record)
        }

        /// Waits until a step of this scenario is under way.
        func step(of scenario: String) async throws {
            _ = try await lines.first(within: .seconds(60), waitingFor: "a step of \(scenario)") { line in
                if case .stepBegan? = line.worker { line.scenario == scenario } else { false }
            }
        }
    }

    /// Processes of this user whose arguments hold a text.
    private func processes(with text: String) -> [String] {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.filter { Int($0) != nil } ?? []
        return numbers.filter { number in
            let line = FileManager.default.contents(atPath: "/proc/\(number)/cmdline") ?? Data()
            return String(decoding: line, as: UTF8.self).contains(text) && Int32(number) != getpid()
        }
    }

    @Test("Crashes, hangs and callbacks each get their verdict, and none reaches the next", .timeLimit(.minutes(2)))
    func verdicts() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let names = ["passes", "traps", "breaksARule", "breaksTheRule", "hangs", "spins", "usesMainQueue"]
        let (status, record) = try await Probe(results, names).end()
        #expect(status == .exited(1))
        #expect(
            record.entries.map { $0.result?.judgement.verdict } == [
                .passed, .failed, .failed, .passed, .failed, .failed, .passed,
            ])
        let causes = record.entries.map { $0.result?.judgement.cause?.message ?? "" }
        #expect(
            causes[1].hasPrefix("crashed: ") && causes[1].contains("Index out of range, at RunnerProbe/Main.swift:"),
            "\(causes[1])")
        #expect(causes[2].hasPrefix("crashed: no such key (P1)"), "\(causes[2])")
        #expect(causes[4].hasPrefix("missed its budget of 300 ms; it stood in “wait for ever” for "), "\(causes[4])")
        #expect(causes[5].hasPrefix("missed its budget of 300 ms; it stood in “spin” for "), "\(causes[5])")
    }

    @Test("SIGINT ends worker and runner, and what was done is reported", .timeLimit(.minutes(1)))
    func interrupted() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let probe = try Probe(results, ["passes", "usesMainQueue", "hangs"])
        try await probe.step(of: "usesMainQueue")
        probe.process.signal(SIGINT)
        let (status, record) = await probe.end()
        #expect(status == .exited(130))
        #expect(record.end?.signal == SIGINT)
        #expect(record.entries[0].result?.judgement.verdict == .passed)
        let junit = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
        #expect(junit.contains("hil.interrupted"))
        #expect(processes(with: results).isEmpty)
    }

    @Test("A runner that is killed leaves its finished verdicts, and no worker", .timeLimit(.minutes(1)))
    func killed() async throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let probe = try Probe(results, ["passes", "spins"])
        try await probe.step(of: "spins")
        probe.process.signal(SIGKILL)
        _ = await probe.end()
        let junit = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
        #expect(junit.contains("<testcase classname=\"Scenarios.Passes\""))
        #expect(junit.contains("skipped=\"1\""))
        let events = try String(contentsOfFile: "\(results)/latest/events.jsonl", encoding: .utf8)
        #expect(events.contains("scenarioEnded"))
        // The kernel tells nobody when an orphan ends, so this looks again until it has.
        let deadline = ContinuousClock.now + .seconds(20)
        while !processes(with: "worker\0spins\0").isEmpty, ContinuousClock.now < deadline { await Task.yield() }
        #expect(processes(with: results).isEmpty)
    }
}
