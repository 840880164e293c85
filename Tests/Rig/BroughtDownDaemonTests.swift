import Foundation
import HILExecution
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// Daemons of the accessory board that the accessory brings down.
    @Suite(.serialized)
    struct BroughtDownDaemonTests {
        @Test("bluetoothd that crashes on a late answer is the accessory's failure, with the answer and the report")
        func lateAnswer() async throws {
            let results = RealRig.results()
            defer { try? FileManager.default.removeItem(atPath: results) }
            let words = [
                "extremes", "run", "--boards", "native", "--format", "json", "--out", results, "lampAnswersTooLate",
            ]
            let (status, record) = try await RunnerProcess(TestProgram.trials, words).end()
            let judgement = try #require(record.entries.first?.result?.judgement)
            #expect(status == .exited(1) && judgement.verdict == .failed, "\(judgement.failures)")
            let message = judgement.cause?.message ?? ""
            #expect(message.contains("as in bluez/bluez#2447") && message.contains("answered ReadValue"), "\(message)")
            #expect(message.contains("bluetoothd (process "), "the crash's report is there")
            #expect(message.contains("probably called by read_complete_cb, src/shared/gatt-server.c"), "\(message)")
        }
    }
}
