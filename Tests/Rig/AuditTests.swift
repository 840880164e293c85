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
            ("legacyPairing", "pairing.legacy", "it pairs by legacy pairing"),
            ("shortKeys", "pairing.keySize", "it takes a key of 7 bytes"),
            ("oneKeyPair", "pairing.reflectedKey", "it uses one key pair for all pairings"),
            ("debugKey", "pairing.debugKey", "it takes the public key of the debug mode"),
            ("anyPoint", "pairing.invalidKey", "it goes on with a public key that is no point of the curve"),
            ("noPerson", "pairing.withoutPerson", "a stranger who says that it has no screen pairs"),
            ("noPerson", "pairing.whenSetUp", "a stranger pairs with it although it is set up"),
            ("noPerson", "access.matrix", "a stranger who paired without a number can read FF01, write FF01"),
            ("fixedPasskey", "pairing.fixedNumber", "its number is always 271828"),
            ("countedRandom", "pairing.predictableNumber", "the random values from which its numbers are made grow"),
            ("stolenBond", "pairing.ownersBond", "a stranger who says that it is"),
            ("addressIsKey", "access.reconnection", "on a new link without encryption"),
            ("hiddenAttribute", "access.hidden", "handle 0x0011 answers"),
            ("serialName", "air.name", "its name “Lamp 4F2A19” tells a single device"),
            ("publicAddress", "air.privateAddress", "its address"),
            ("keptBonds", "life.reset", "after a factory reset the key of the owner before still works"),
            ("keptBonds", "life.owners", "the key of the owner before still works for the next owner's accessory"),
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
