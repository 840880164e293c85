import Foundation
import HILExecution
import HILRecord
import StubRig
import TestSupport
import Testing

private let browserIsHere =
    HeadlessBrowser.program != nil && ProcessInfo.processInfo.environment["HIL_BROWSER"] == "1"

extension RealRigTests {
    /// The page of a run whose accessory has three faults: each cause must be on it.
    @MainActor
    @Suite(.serialized, .enabled(if: browserIsHere, "it needs Chromium and a quiet rig: `make test-long` runs it"))
    struct SeededFaultsTests {
        private let results = RealRig.results()

        private func run(broken: Bool) async throws -> RunRecord {
            let process = try RunnerProcess(
                TestProgram.trials, ["seeded-faults", "run", "--jobs", "1", "--format", "json", "--out", results],
                environment: broken ? ["SEEDED_FAULTS": "1"] : [:])
            return await process.end().record
        }

        @Test("From the page alone, a stranger reads of the passphrase, the late advertisement and the crashed daemon")
        func page() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            #expect(try await run(broken: false).count(.passed) == 4)
            let record = try await run(broken: true)
            #expect(record.count(.passed) == 1, "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            let address = URL(fileURLWithPath: "\(results)/latest/index.html").absoluteString
            let browser = try await HeadlessBrowser()
            do {
                try await browser.setWindow(1440, 2400)
                for (scenario, words) in [
                    ("dieJoinsItsNetwork", ["refused the passphrase", "PSK-MISMATCH", "message 1 of 4"]),
                    ("dieIsFoundAtOnce", ["later than there", "it is set up within 4 s"]),
                    (
                        "dieGoesOnRolling",
                        ["bluetoothd on the accessory board was ended by signal 11", "Daemon bluetoothd"]
                    ),
                ] {
                    try await browser.open(
                        address + "#s/\(scenario)", until: "document.querySelector('.comparison')")
                    let page = try await browser.text("document.querySelector('main').textContent")
                    for word in words { #expect(page.contains(word), "\(word) is not in the page of \(scenario)") }
                }
                #expect(browser.complaints == [])
            } catch {
                await browser.close()
                throw error
            }
            await browser.close()
        }
    }
}
