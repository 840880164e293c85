import Foundation
import HILExecution
import HILPOSIX
import HILRecord
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Scenarios with a phone that hil did not write: Google's Bumble as a central, which obeys a run's instructions.
    @Suite(.serialized)
    struct HandTests {
        private let results = RealRig.results()
        private static let roll = "D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47"

        @Test(
            "Answers from a file lead through a home's network without a phone: a wrong passphrase, a changed one, a closed one"
        )
        func answers() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let file = "\(results)-answers"
            defer { try? FileManager.default.removeItem(atPath: file) }
            let answers = "# once for each case\n" + String(repeating: "done\nyes\nyes\nyes\n", count: 2)
            try answers.write(toFile: file, atomically: true, encoding: .utf8)
            let run = try RunnerProcess(
                TestProgram.trials,
                [
                    "board-programs", "run", "--rig", "hand,virtual", "--answers", file, "--format", "json", "--out",
                    results, "homeIsJoined",
                ])
            let (status, record) = await run.end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            #expect(record.entries.count == 2)
            let story = try text("homeIsJoined-security=wpa2/story.txt")
            for line in [
                "holds: the home's router reports a station was refused",
                "holds: the home's router reports a station joined",
                "holds: the home's router reports a station got an address",
                "as in the scenario: change the passphrase of the home's network",
                "holds: the home's router reports a station left", "the home's network is closed",
            ] { #expect(story.contains(line), "\(line)") }
        }

        private func run(_ scenario: String, _ options: [String]) async throws -> (HILPOSIX.ExitStatus, RunRecord) {
            let packages = "\(checkout)/.build/tests-python"
            let phone = [
                "env", "PYTHONPATH=\(packages)", "python3", "\(checkout)/Tests/Support/OtherPhone/phone.py",
            ]
            let command = (phone + options).map { "'\($0)'" }.joined(separator: " ")
            let run = try RunnerProcess(
                "hil",
                ["run", "--rig", "hand,virtual", "--person", command, "--format", "json", "--out", results, scenario])
            return await run.end()
        }

        private func text(_ path: String) throws -> String {
            try String(contentsOfFile: "\(results)/latest/\(path)", encoding: .utf8)
        }

        @Test(
            "Another phone sets the die up and gets its rolls; the record has what the real die saw, and what nobody saw"
        )
        func die() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await run(
                "dieIsPairedAndRolls",
                ["--step", "subscribe=subscribe \(Self.roll)", "--see", "face that was rolled=\(Self.roll)"])
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            let story = try text("dieIsPairedAndRolls/story.txt")
            for line in [
                "connected: 02:00:00:00:02:B8, the phone in the hand", "holds: the accessory reports die: bonded:",
                "holds: the app sees the face that was rolled", "not seen: the peripheral is the picked die",
            ] { #expect(story.contains(line), "\(line)") }
            #expect(try text("junit.xml").contains(#"name="hil on the hand,virtual rig""#))
            #expect(try text("index.html").contains("a phone in a person's hand"))
            for file in ["capture.pcapng", "simulated/capture.pcapng", "screens/02-picker.light.svg"] {
                #expect(
                    FileManager.default.fileExists(atPath: "\(results)/latest/dieIsPairedAndRolls/\(file)"), "\(file)")
            }
        }

        @Test("An accessory as data is set up, read, written and subscribed to by another phone")
        func lamp() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let acts = [
                "read: FF01=read FF01", "a descriptor of FF01=describe FF01", "written: 50=write FF01 50",
                "subscription: true=subscribe FF01", "written: 52=write FF02 52656164696E67206C616D70",
                "read: FF02=read FF02",
            ]
            let (status, record) = try await run("lampAsDataIsUsed", acts.flatMap { ["--on", $0] })
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
        }

        @Test("A phone whose app does less than the simulated one's fails, by the report that did not come")
        func lazyPhone() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await run("dieIsPairedAndRolls", [])
            #expect(status == .exited(1))
            let cause = record.entries.first?.result?.judgement.cause?.message
            #expect(cause?.hasPrefix("the accessory did not report this: die: roll subscription: true") == true)
        }

        @Test("A scenario that no person can do is skipped, with the reason")
        func skipped() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await run("airIsJammed", [])
            #expect(status == .exited(0))
            let reason = record.entries.first?.result?.judgement.reason
            #expect(reason?.hasPrefix("the hand rig lacks") == true, "\(reason ?? "none")")
        }
    }
}
