import Foundation
import HILExecution
import HILPOSIX
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Phones that are not ours: their habits are learned from captures, played, and compared.
    @Suite(.serialized)
    struct LearnedPhoneTests {
        private struct Learned: Decodable {
            struct Habit: Decodable {
                let property, expression: String
            }
            let habits: [Habit]

            subscript(_ property: String) -> String? { habits.first { $0.property == property }?.expression }
        }

        private let results = RealRig.results()

        private func run(_ scenario: String) async throws {
            let runner = try RunnerProcess(
                TestProgram.trials,
                ["learned-phones", "run", "--jobs", "1", "--format", "json", "--out", results, scenario])
            let (status, record) = await runner.end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
        }

        private func learn(_ capture: String) async throws -> Learned {
            let program = RunnerProcess.path(of: TestProgram.trials)
            let text = await Shell.output([program, "learned-phones", "learn", capture, "--format", "json"])
            return try JSONDecoder().decode(Learned.self, from: Data((text ?? "").utf8))
        }

        private func capture(_ folder: String) -> String { "\(results)/latest/\(folder)/capture.pcapng" }

        /// What does not depend on the accessory, and on what an app asks for.
        private let own = [
            "connection", "connectionScan", "scan", "mtu", "dataLengthMoment", "phyMoment", "versionMoment", "greeting",
            "pairing", "serviceSearch", "continuesAfterValue", "hasPrivateAddress",
        ]

        @Test("BlueZ as a central has the habits of its capture: 30 to 50 ms, 420 ms, an MTU of 517, and its keys")
        func blueZ() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            try await run("stockCentralUsesBattery")
            let (kept, live) = (
                try await learn(fixture("Captures/bluez-central.pcapng")),
                try await learn(capture("stockCentralUsesBattery"))
            )
            for property in own { #expect(live[property] == kept[property], "\(property)") }
        }

        @Test("A personality that was learned is on the air what it was in its capture")
        func played() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            try await run("learnedPhoneIsPlayed")
            for (phone, file) in [("bumble", "bumble-central.btsnoop"), ("blueZ", "bluez-central.pcapng")] {
                let kept = try await learn(fixture("Captures/\(file)"))
                let played = try await learn(capture("learnedPhoneIsPlayed-phone=\(phone)"))
                for property in own where kept[property] != nil {
                    #expect(played[property] == kept[property], "\(phone): \(property)")
                }
            }
        }
    }
}
