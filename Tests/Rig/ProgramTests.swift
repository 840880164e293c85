import Foundation
import HILExecution
import HILRecord
import StubRig
import TestSupport
import Testing

/// Mistakes in the declaration of a program, without a rig.
struct ProgramDeclarationTests {
    @Test("A scenario whose program has no folder of files ends the command with 64, before a rig is started")
    func missingFolder() async throws {
        let output = try await ProgramOutput(
            of: [RunnerProcess.path(of: TestProgram.trials), "board-programs", "run", "folderIsMissing"],
            environment: RunnerProcess.environment, withErrors: true)
        #expect(output.status == .exited(64))
        #expect(output.text.contains("the program “lamp”: its folder of files “No/Such/Folder” is missing"))
    }
}

extension RealRigTests {
    /// Programs on the accessory board of the real rig.
    @Suite(.serialized)
    struct ProgramTests {
        private let results = RealRig.results()

        private func run(_ scenarios: String..., on boards: String) async throws -> RunRecord {
            let options = ["--jobs", "1", "--boards", boards, "--format", "json", "--out", results]
            return try await RunnerProcess(TestProgram.trials, ["board-programs", "run"] + options + scenarios).end()
                .record
        }

        private func text(_ file: String) -> String {
            (try? String(contentsOfFile: "\(results)/latest/\(file)", encoding: .utf8)) ?? ""
        }

        @Test(
            "A program with its own bluetoothd is found, picked and read; others start, stop and take all with them",
            arguments: RealRig.boards)
        func programs(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let record = try await run(
                "thermostatIsFound", "programsAreRun", "filesOfProgram", "filesOfUser", "payloadIsSent",
                "pagesAreLoaded", on: boards)
            #expect(
                record.count(.passed) == 7,
                "\(record.entries.map { $0.result?.judgement.failures ?? [] }), \(record.entries.map(\.log))")
            #expect(text("thermostatIsFound/accessory/program.log").contains("heard warmer"))
            #expect(text("thermostatIsFound/accessory/thermostat-logs.log").contains("ControllerMode = le"))
            #expect(text("thermostatIsFound/story.txt").contains("heard warmer"))
            #expect(text("junit.xml").contains("name=\"accessory.thermostat\" value=\"1.2.3\""))
        }

        @Test("QEMU's boards are saved with a program at its second use; native boards start it each time")
        func saved() async throws {
            for boards in RealRig.boards {
                defer { try? FileManager.default.removeItem(atPath: results) }
                let output = try await ProgramOutput(
                    of: [
                        RunnerProcess.path(of: TestProgram.trials), "board-programs", "run", "programIsSaved", "--jobs",
                        "1", "--repeat", "3",
                        "--boards", boards, "--out", results,
                    ], environment: RunnerProcess.environment + ["HIL_CALLER=\(UUID().uuidString)"], withErrors: true)
                #expect(output.status.isSuccess, "\(output.text)")
                // The number of the first start and that of the restart, of each round.
                let numbers = ["", ".2", ".3"].map { round in
                    text("programIsSaved\(round)/accessory/program.log").matches(of: /number ([0-9a-f\-]{36})/)
                        .map { match in String(match.output.1) }
                }
                #expect(numbers.allSatisfy { $0.count == 2 }, "\(numbers)")
                let isSaved = boards == "qemu"
                #expect(Set(numbers.joined()).count == (isSaved ? 5 : 6), "\(numbers)")
                #expect((numbers[1].first == numbers[2].first) == isSaved, "the saved program is the same one")
                let notes = text("events.jsonl").matches(of: /the boards were saved with the program running/)
                #expect(notes.count == (isSaved ? 1 : 0))
            }
        }

        @Test("QEMU's boards are not saved with a program that has ended; that is told once")
        func ended() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let output = try await ProgramOutput(
                of: [
                    RunnerProcess.path(of: TestProgram.trials), "board-programs", "run", "programIsBrief", "--jobs",
                    "1", "--repeat", "3",
                    "--boards", "qemu", "--out", results,
                ], environment: RunnerProcess.environment + ["HIL_CALLER=\(UUID().uuidString)"], withErrors: true)
            #expect(output.status.isSuccess, "\(output.text)")
            let told = text("events.jsonl").matches(of: /cannot be saved with the program running/)
            #expect(told.count == 1 && text("events.jsonl").contains("the program that was started ahead has ended"))
        }

        @Test("A program joins a home's network, and is refused with another passphrase", arguments: RealRig.boards)
        func homeNetwork(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let record = try await run("homeIsJoined", on: boards)
            #expect(record.count(.passed) == 2, "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
        }

        @Test("A board's disk keeps through a power cut what was synced", arguments: RealRig.boards)
        func disks(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let record = try await run("diskIsKept", "diskIsFullAndCut", on: boards)
            #expect(
                record.count(.passed) == 2,
                "\(record.entries.map { $0.result?.judgement.failures ?? [] }), \(record.entries.map(\.log))")
        }

        @Test("A package that does not exist ends the command with 64, and names the program", .enabled(if: hasNetwork))
        func missingPackage() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let output = try await ProgramOutput(
                of: [
                    RunnerProcess.path(of: TestProgram.trials), "board-programs", "run", "packageIsMissing", "--out",
                    results,
                    "--accessory", "debian12",
                ], environment: RunnerProcess.environment, withErrors: true)
            #expect(output.status == .exited(64), "\(output.text)")
            let line =
                "the packages of the program “lamp”: there is no package “hil-no-such-package” in Debian 12 (bookworm)"
            #expect(output.text.contains(line), "\(output.text)")
        }

        /// Images of other systems are built with Debian's packages.
        private static var hasNetwork: Bool { ProcessInfo.processInfo.environment["HIL_SYSTEMS"] != nil }

        @Test(
            "Each case of a matrix has its own system on the accessory board", .enabled(if: hasNetwork),
            arguments: RealRig.boards)
        func systems(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let record = try await run("systemsDiffer", on: boards)
            #expect(record.count(.passed) == 2, "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            #expect(record.entries.map(\.info.accessory) == ["debian12", "debian13"])
        }

        @Test(
            "A program that crashes fails its scenario, with the signal and its last lines", arguments: RealRig.boards)
        func crash(boards: String) async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let judgement = try #require(try await run("programCrashes", on: boards).entries.first?.result?.judgement)
            #expect(judgement.verdict == .failed && judgement.failures.count == 1)
            let message = judgement.failures.first?.message ?? ""
            #expect(message.contains("“shell” was ended by signal 11 (Segmentation fault)"), "\(message)")
            // They come through two pipes, so that either may be the first.
            #expect(message.contains("\n  one") && message.contains("\n  two"), "\(message)")
        }
    }
}
