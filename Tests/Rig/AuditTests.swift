import Foundation
import HILRecord
import StubRig
import TestSupport
import Testing

/// Audits on virtual boards.
struct AuditTests {
    private static func audit(_ words: [String]) async throws -> (code: Int32?, record: RunRecord, folder: String) {
        let folder = NSTemporaryDirectory() + "hil-audit-\(UUID().uuidString)"
        let (status, record) = try await RunnerProcess(
            "hil-trials", ["weak-accessories", "audit", "--format", "json", "--out", folder] + words
        ).end()
        guard case .exited(let code) = status else { return (nil, record, folder) }
        return (code, record, folder)
    }

    @Test(
        "The weakness of an accessory is found, and its hardened twin holds",
        arguments: [
            ("openBrightness", "access.matrix", "a stranger without a key can read FF01, write FF01"),
            ("silentPairing", "pairing.capabilities", "it says NoInputNoOutput"),
        ])
    func twins(scenario: String, control: String, told: String) async throws {
        for build in ["weak", "hardened"] {
            let (code, record, folder) = try await Self.audit(["\(scenario)[accessory=\(build)]", "--only", control])
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let name = "\(scenario)~\(control)[accessory=\(build)]"
            let judgement = try #require(record[name]?.result?.judgement, "\(record.entries.map(\.info.identifier))")
            #expect(judgement.verdict == (build == "weak" ? .failed : .passed), "\(String(describing: judgement))")
            #expect(code == (build == "weak" ? 1 : 0))
            guard build == "weak" else { continue }
            let cause = judgement.cause?.message ?? ""
            #expect(cause.contains("breached: \(told)"), "\(cause)")
            #expect(record[name]?.info.replay.contains("audit '\(scenario)[accessory=weak]' --only \(control)") == true)
        }
    }
}
