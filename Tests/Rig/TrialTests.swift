import Foundation
import HILExecution
import HILRecord
import StubRig
import TestSupport
import Testing

private let isWanted = ProcessInfo.processInfo.environment["HIL_TRIALS"] != nil

extension RealRigTests {
    /// Much of one thing. Only with `HIL_TRIALS`: it takes minutes.
    @Suite(.serialized, .enabled(if: isWanted, "HIL_TRIALS is not set"))
    struct TrialTests {
        private func run(_ command: [String], _ arguments: [String]) async throws -> RunRecord {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let runner = try RunnerProcess(
                command[0],
                command.dropFirst() + ["run", "--boards", "native", "--format", "json", "--out", results] + arguments)
            let (status, record) = await runner.end()
            let failures = record.entries.flatMap { $0.result?.judgement.failures ?? [] }
            #expect(status == .exited(0), "\(failures)")
            return record
        }

        @Test("A thousand connections in a row leave a phone that is no larger")
        func connections() async throws {
            #expect(try await run([TestProgram.trials, "extremes"], ["lampIsConnectedOften"]).count(.passed) == 1)
        }

        @Test("With three rigs at work, no value of a fast accessory is lost")
        func values() async throws {
            let record = try await run(
                [TestProgram.trials, "extremes"], ["everyValueArrives", "--repeat", "3", "--jobs", "3"])
            #expect(record.count(.passed) == 3)
        }

        @Test(
            "A link is lost at each step of a pairing, and an accessory removed with requests in flight, 100 times each"
        )
        func moments() async throws {
            let pairings = try await run(["hil"], ["linkIsLostInPairing", "--repeat", "100", "--jobs", "2"])
            #expect(pairings.count(.passed) == 100)
            // Five rounds each.
            let removals = try await run(["hil"], ["accessoryIsRemovedInFlight", "--repeat", "20", "--jobs", "2"])
            #expect(removals.count(.passed) == 20)
        }
    }
}
