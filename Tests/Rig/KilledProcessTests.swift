import Foundation
import HILExecution
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Runs on the real rig in which a process is killed.
    @Suite(.serialized)
    struct KilledProcessTests {
        private let results = RealRig.results()
        // They run in this order, and each has a step of seconds.
        private let first = "noAccessoryInRange"
        private let second = "dieIsPairedAndRolls"

        /// Waits until none of these processes is left.
        private func areGone(_ family: [RunningProcess]) async throws {
            try await waitForEnd(of: family.filter(\.isRunning).map(\.identifier), within: .seconds(20))
        }

        /// The folder of sockets in the arguments of the rig's air.
        private func rigFolder(_ family: [RunningProcess]) -> String? {
            family.compactMap { $0.command.firstMatch(of: /--rig (\S+)/)?.1 }.first.map(String.init)
        }

        @Test(
            "If a board is killed, its scenario is an error, and the next one has new boards", arguments: RealRig.boards
        )
        func boardDies(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run([first, second], boards: boards, out: results)
            try await runner.step(of: first)
            let family = runner.family()
            let board = try #require(
                family.first { RealRig.isBoard($0) && $0.command.contains("hil.role=accessory") })
            kill(board.identifier, SIGKILL)
            let (status, record) = await runner.end()
            let judgements = record.entries.map { $0.result?.judgement }
            #expect(judgements.map { $0?.verdict } == [.error, .passed], "\(judgements)")
            // The sandbox of a native board passes the signal on as an exit code.
            let end = boards == "qemu" ? "was ended by signal 9" : "exited with 137"
            let message = judgements.first??.cause?.message ?? ""
            #expect(message.contains("accessory board's process \(end)"), "\(judgements)")
            #expect(status == .exited(2))
            try await areGone(family)
        }

        @Test("An interrupted run reports what was done, and leaves no process behind")
        func interrupted() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run([first, second], out: results)
            try await runner.step(of: second)
            let family = runner.family()
            let folder = try #require(rigFolder(family))
            runner.process.signal(SIGINT)
            let (status, record) = await runner.end()
            #expect(status == .exited(130))
            #expect(record.end?.signal == SIGINT)
            try await areGone(family)
            #expect(!FileManager.default.fileExists(atPath: folder))
        }

        @Test(
            "A killed runner leaves its finished verdicts, and no board, air, worker or socket",
            arguments: RealRig.boards)
        func killed(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run([first, second], boards: boards, out: results)
            try await runner.step(of: second)
            let family = runner.family()
            #expect(family.count >= 6, "runner, worker, rig, two boards, air: \(family.map(\.command))")
            let folder = try #require(rigFolder(family))
            runner.process.signal(SIGKILL)
            _ = await runner.end()
            try await areGone(family)
            let base = URL(fileURLWithPath: folder).deletingLastPathComponent().path
            try await waitForFiles("the rig's folder to be removed", in: base, within: .seconds(20)) {
                !FileManager.default.fileExists(atPath: folder)
            }
            let junit = try String(contentsOfFile: "\(results)/latest/junit.xml", encoding: .utf8)
            #expect(junit.contains("tests=\"2\"") && junit.contains("errors=\"1\""))
            let events = try String(contentsOfFile: "\(results)/latest/events.jsonl", encoding: .utf8)
            #expect(events.split(separator: "\n").count { $0.contains("scenarioEnded") } == 1)
        }

        @Test("A rig that is killed while its boards begin leaves no process of theirs", arguments: 0..<10)
        func killedEarly(moment: Int) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RealRig.run([second], boards: "native", out: results)
            func program(_ process: RunningProcess) -> Substring? {
                process.command.split(separator: " ").first?.split(separator: "/").last
            }
            // As soon as can be: a moment later it would be another trial. Not every machine allows a board a sandbox, and the
            // first run on one tries that before there is a rig.
            var (family, folder) = ([RunningProcess](), String?.none)
            while folder == nil, runner.process.status == nil {
                family = runner.family()
                let hasBoard = family.contains { ["bwrap", "linux"].contains(program($0)) }
                folder = hasBoard ? rigFolder(family) : nil
            }
            let mark = "HIL_RIG_FOLDER=\(try #require(folder, "the run ended before its boards began"))"
            try await Task.sleep(for: .milliseconds(4 * moment))
            kill(try #require(family.first { program($0) == "hil-rig" }).identifier, SIGKILL)
            // No other rig may sweep behind it.
            runner.process.signal(SIGKILL)
            _ = await runner.end()
            try await waitForEnd(within: .seconds(5)) { KernelFile.processes { $0.hasPrefix(mark) } }
        }

        @Test("Two runs at once do not disturb each other")
        func twoAtOnce() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runners = try [
                RealRig.run(["personCancels"], out: results), RealRig.run(["personCancels"], out: results),
            ]
            var folders: Set<String> = []
            for runner in runners {
                let (status, record) = await runner.end()
                #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
                folders.insert(record.info?.folder ?? "")
            }
            #expect(folders.count == 2)
        }
    }
}
