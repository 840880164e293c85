import HIL
import HILRecord
import Testing

@testable import HILExecution

/// What ran on the boards stands in every result.
struct FirmwareTests {
    private static let boards = ["host": ["bluez": "5.82"], "accessory": ["kernel": "6.12"]]

    private func results(_ options: RunOptions = RunOptions(), told: [ScenarioEvent]) async throws -> RunRecord {
        try await TestRun().perform(options: options) { scenario, worker in
            for event in told { worker.tell(event) }
            if scenario == "second" {
                worker.tell(.failure(Failure(.product, "wrong")), .done)
                worker.end(.exited(0))
            } else {
                worker.pass()
            }
        }
    }

    @Test("The label of the run stands in every result and in its description, beside the versions of the boards")
    func label() async throws {
        var options = RunOptions()
        options.firmware = "1.4.2"
        let record = try await results(
            options,
            told: [
                .boardsReady(versions: Self.boards), .accessoryVersion(name: "die", version: "9"),
            ])
        let found = record.entries.compactMap(\.result)
        #expect(found.map(\.firmware) == ["1.4.2", "1.4.2", "1.4.2"] && record.firmware == "1.4.2")
        let versions = ["host": ["bluez": "5.82"], "accessory": ["kernel": "6.12", "die": "9"]]
        #expect(found.allSatisfy { $0.versions == versions })
        #expect(record.info?.options.firmware == "1.4.2")
    }

    @Test("Without a label it is what the accessory's hook says")
    func hook() async throws {
        let one = try await results(told: [.accessoryVersion(name: "die", version: "9")])
        #expect(one.entries.map { $0.result?.firmware } == ["9", "9", "9"] && one.firmware == "9")
        let two = try await results(told: [
            .accessoryVersion(name: "lamp", version: "7"), .accessoryVersion(name: "die", version: "9"),
        ])
        #expect(two.entries[0].result?.firmware == "die 9, lamp 7")
        let none = try await results(told: [])
        #expect(none.entries.allSatisfy { $0.result?.firmware == nil && $0.result?.versions == nil })
        #expect(none.firmware == nil)
    }

    @Test("A retry's result has it as well, and each attempt")
    func retries() async throws {
        var options = RunOptions()
        (options.firmware, options.retries) = ("1.4.2", 1)
        let record = try await results(options, told: [.boardsReady(versions: Self.boards)])
        let failed = try #require(record.entries[1].result)
        #expect(failed.firmware == "1.4.2" && failed.attempts?.map(\.firmware) == ["1.4.2", "1.4.2"])
        #expect(failed.attempts?.allSatisfy { $0.versions == Self.boards } == true)
    }
}
