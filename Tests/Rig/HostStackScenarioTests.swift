import Foundation
import HILExecution
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Accessories without a board, over Google's Bumble.
    @Suite(.serialized)
    struct HostStackScenarioTests {
        private let results = RealRig.results()

        private func run(_ scenarios: [String]) throws -> RunnerProcess {
            try RunnerProcess(
                TestProgram.trials,
                ["host-stacks", "run", "--jobs", "1", "--format", "json", "--out", results] + scenarios)
        }

        @Test("An accessory over Bumble is found, paired with LE Secure Connections and read")
        func bumble() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let scenarios = ["batteryIsPairedAndRead", "batteryIsReadOverStandardStreams"]
            let (status, record) = try await run(scenarios).end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            #expect(record.count(.passed) == 2)
            let story = try String(
                contentsOfFile: "\(results)/latest/batteryIsPairedAndRead/story.txt", encoding: .utf8)
            #expect(story.contains("advertising as 02:00:00:00:02:B8"))
            // The first is declared without an accessory board, and the second is not.
            let kernels = scenarios.map { "\(results)/latest/\($0)/accessory/kernel.log" }
            #expect(kernels.map { FileManager.default.fileExists(atPath: $0) } == [false, true])
        }

        @Test("A program that is at fault fails its scenario, with a line that says why")
        func faults() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let reasons = [
                "batteryCrashes": "battery exited with 3, and nobody had stopped it; its last lines: ",
                "nonsenseIsCutOff": "talker was cut off the air: a packet begins with 48 65 6C 6C 6F 0A (“Hello”)",
                "programIsMissing": "starting keyboard (no-such-keyboard --fast): No such file or directory — install",
            ]
            let (status, record) = try await run(reasons.keys.sorted()).end()
            #expect(status == .exited(1))
            for entry in record.entries {
                let judgement = try #require(entry.result?.judgement)
                #expect(judgement.verdict == .failed)
                let reason = try #require(reasons[entry.info.identifier])
                #expect(judgement.cause?.message.hasPrefix(reason) == true, "\(judgement)")
                #expect(judgement.cause?.location != nil)
            }
            #expect(record.entries.count == reasons.count)
        }

        @Test("A scenario that declared to use no accessory board fails if it does, at the line of the call")
        func declinedBoard() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await run(["boardIsUsedAllTheSame", "boardIsBrokenAllTheSame"]).end()
            #expect(status == .exited(1))
            #expect(record.entries.count == 2)
            for entry in record.entries {
                let judgement = try #require(entry.result?.judgement)
                #expect(judgement.verdict == .failed)
                #expect(
                    judgement.failures.map(\.message) == [
                        "the scenario is declared .withoutAccessoryBoard: remove that to use the accessory board"
                    ])
                #expect(judgement.cause?.location?.file.hasSuffix("/HostStacks.swift") == true)
            }
        }

        @Test("A flood of packets and lines holds up neither the phone nor the run, and leaves little behind")
        func flood() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await run(["floodIsBounded"]).end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            let sizes = try ["capture.pcapng", "story.txt", "air.log"].map { name in
                let path = "\(results)/latest/floodIsBounded/\(name)"
                return try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            }
            #expect(sizes.allSatisfy { $0 < 4 << 20 }, "\(sizes)")
        }

        @Test("A killed runner leaves no program of a host stack, nor what that has started")
        func killedRunner() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try run(["familyIsLeftBehind"])
            try await runner.step(of: "familyIsLeftBehind")
            let family = runner.family()
            let sleepers = family.filter { $0.command.contains("sleep 7654") }
            #expect(sleepers.count >= 3, "\(family.map(\.command))")
            #expect(family.contains { $0.command.contains(" guard ") })
            runner.process.signal(SIGKILL)
            _ = await runner.end()
            try await waitForEnd(of: family.filter(\.isRunning).map(\.identifier), within: .seconds(20))
        }
    }
}
