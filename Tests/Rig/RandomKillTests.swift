import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import StubRig
import TestSupport
import Testing

/// How many processes are killed in all: `HIL_KILLS`.
private let kills = ProcessInfo.processInfo.environment["HIL_KILLS"].flatMap { Int($0) } ?? 10

extension RealRigTests {
    /// Any process of a run is killed at any moment.
    @Suite(.serialized)
    struct RandomKillTests {
        private static let batch = 10
        /// Short scenarios, so that much of the time is starting and stopping.
        private static let scenarios = ["personCancels", "dieIsDiscoveredAndAuthorized"]

        private enum Victim: String, CaseIterable {
            case runner, worker, rig, air, board

            func matches(_ process: RunningProcess, of runner: RunnerProcess) -> Bool {
                let words = process.command.split(separator: " ")
                switch self {
                case .runner: return process.identifier == runner.process.pid
                case .worker: return words.dropFirst().first == "worker"
                case .rig: return words.first?.hasSuffix("hil-rig") == true
                case .air: return words.first?.hasSuffix("hil-air") == true
                case .board: return RealRig.isBoard(process)
                }
            }
        }

        @Test(
            "A process killed at any moment costs no finished verdict, gives no wrong one, and leaves nothing behind",
            arguments: 0..<max(1, kills / batch))
        func anyMoment(batch: Int) async throws {
            let environment = ProcessInfo.processInfo.environment
            let seed = environment["HIL_KILL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
            var numbers = SeededNumbers(seed: seed &+ UInt64(batch))
            for round in 0..<min(kills, Self.batch) {
                try await kill(&numbers, "batch \(batch), round \(round), HIL_KILL_SEED=\(seed)")
            }
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await RealRig.run(Self.scenarios, out: results).end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
        }

        /// One run, and one kill in it.
        private func kill(_ numbers: inout SeededNumbers, _ name: String) async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let victim = Victim.allCases.randomElement(using: &numbers) ?? .runner
            let line = Int.random(in: 1...60, using: &numbers)
            let pause = Duration.milliseconds(Int.random(in: 0...2500, using: &numbers))
            let comment = Comment(rawValue: "\(name): \(victim.rawValue), \(pause) after line \(line)")
            let boards = RealRig.boards.randomElement(using: &numbers) ?? "qemu"
            let runner = try RealRig.run(Self.scenarios, boards: boards, out: results)
            // Not later than the run's end.
            _ = try? await runner.lines.first(from: line - 1, within: .seconds(120), waitingFor: "line \(line)") { _ in
                true
            }
            try await Task.sleep(for: pause)
            var family = runner.family()
            var victims = family.filter { victim.matches($0, of: runner) }
            // Between two scenarios only the runner exists, and there is no event for the start of the others.
            while victims.isEmpty, runner.process.status == nil {
                try await Task.sleep(for: .milliseconds(20))
                family = runner.family()
                victims = family.filter { victim.matches($0, of: runner) }
            }
            let killed = victims.randomElement(using: &numbers)
            if let killed { Glibc.kill(killed.identifier, SIGKILL) }
            let (status, record) = await runner.end()
            try await check(record, status, isRunner: victim == .runner && killed != nil, results, comment)
            try await areGone(family)
        }

        /// All reported verdicts are kept, and none is a failure of the product.
        private func check(
            _ record: RunRecord, _ status: HILPOSIX.ExitStatus, isRunner: Bool, _ results: String, _ comment: Comment
        ) async throws {
            let told = record.entries.compactMap { entry in entry.result.map { (entry.info.identifier, $0.judgement) } }
            #expect(!told.contains { $0.1.verdict == .failed }, comment)
            let errors = told.count { $0.1.verdict == .error }
            if isRunner {
                #expect(errors == 0, comment)
            } else {
                #expect(told.count == Self.scenarios.count, comment)
                #expect(errors <= 1, comment)
                #expect(status == .exited(errors == 0 ? 0 : 2), comment)
            }
            guard let folder = record.info?.folder else { return }
            var kept = RunRecord()
            let lines = try String(contentsOfFile: "\(folder)/events.jsonl", encoding: .utf8).split(separator: "\n")
            for line in lines {
                // The last line of a runner that was killed may be cut.
                if let line = try? JSONDecoder().decode(RunLine.self, from: Data(line.utf8)) { kept.take(line) }
            }
            for (identifier, judgement) in told { #expect(kept[identifier]?.result?.judgement == judgement, comment) }
        }

        /// Waits until none of these processes is left.
        private func areGone(_ family: [RunningProcess]) async throws {
            try await waitForEnd(of: family.filter(\.isRunning).map(\.identifier), within: .seconds(20))
        }
    }
}
