import BoardProtocol
import Foundation
import HIL
import HILPOSIX
import HILRecord
import RigModel
import StubRig
import Testing

@testable import HILExecution

/// Both boards are saved with the evidence of a failure.
struct BoardKeepingTests {
    /// Rigs that cannot save their boards.
    private struct FullDisk: RigProvider {
        let description = RigDescription("stub", has: [.snapshot])
        func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig { Rig() }

        struct Rig: RunningRig {
            let endpoint = RigEndpoint(FullDisk().description, addresses: [:])
            func lost() async throws -> String {
                try await Task.sleep(for: .seconds(86_400))
                return ""
            }
            func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
                throw RigFailure("connecting to the rig", "there is none")
            }
            func saveBoards(in folder: String) async throws {
                throw RigFailure("keeping both boards", "No space left on device")
            }
            func stop() async {}
        }
    }

    private let failing: ScriptedWorkers.Script = { name, worker in
        if name != "first" { worker.tell(.bodyBegan(budget: 60), .failure(Failure(.product, "wrong")), .paused) }
        if name == "first" { worker.pass() }
    }

    @Test("Failed scenarios save both boards, others do not, and none does with a limit of 0")
    func kept() async throws {
        let test = try TestRun()
        let record = try await test.perform(script: failing)
        #expect(record.entries.map { $0.result?.boards } == [nil, "rig.snapshot", "rig.snapshot"])
        #expect(FileManager.default.fileExists(atPath: test.folder.file("second/rig.snapshot")))
        var options = RunOptions()
        options.keptBoards = 0
        let without = try await TestRun().perform(options: options) { name, worker in
            worker.tell(.bodyBegan(budget: 60), .failure(Failure(.product, "wrong")))
            worker.pass()
        }
        #expect(without.entries.allSatisfy { $0.result?.boards == nil && $0.result?.missing == [] })
    }

    @Test("Only the first failures of a run save boards, and the others say so")
    func allowance() async throws {
        var options = RunOptions()
        options.keptBoards = 1
        let record = try await TestRun().perform(options: options, script: failing)
        #expect(record.entries.map { $0.result?.boards } == [nil, "rig.snapshot", nil])
        #expect(
            record["third"]?.result?.missing == [
                "both boards as they were: only the first 1 of this run's failures keep theirs"
            ])
    }

    @Test("A full disk for saved boards does not change the verdict")
    func fullDisk() async throws {
        let record = try await TestRun().perform(rigs: FullDisk(), script: failing)
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .failed, .failed])
        #expect(
            record["second"]?.result?.missing == [
                "both boards as they were: keeping both boards: No space left on device"
            ])
    }

    @Test("Of a rig that cannot save boards nothing is missing")
    func noSnapshot() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(StubRigKind.twoAgents), script: failing)
        #expect(record.entries.map { $0.result?.boards } == [nil, nil, nil])
        #expect(record["second"]?.result?.missing == [] && record["third"]?.result?.missing == [])
    }
}
