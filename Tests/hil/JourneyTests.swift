import Execution
import Foundation
import StubRig
import Testing

extension RealRigTests {
    /// The whole journey on the real rig, and what is left of it for who looks afterwards.
    @Suite(.serialized)
    struct JourneyTests {
        private let results = RealRig.results()

        /// How many packets of a capture a display filter of Wireshark's leaves.
        private func packets(_ capture: String, _ filter: String) -> Int {
            Shell.output(["tshark", "-r", capture, "-Y", filter])?.split(separator: "\n").count ?? -1
        }

        @Test("The capture of the journey shows pairing, attributes, SAE and the four-way handshake, on one clock")
        func capture() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await RealRig.run(["newDieIsOnboarded"], out: results).end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            let folder = "\(results)/latest/newDieIsOnboarded"
            let capture = "\(folder)/capture.pcapng"

            let complaints = try #require(
                Shell.output(["tshark", "-r", capture, "-Y", "frame.number == 0"], withErrors: true))
            let serious = complaints.split(separator: "\n").filter { !$0.contains("Running as user") }
            #expect(serious.isEmpty, "\(serious)")
            #expect(packets(capture, "_ws.malformed") == 0)
            #expect(packets(capture, "btsmp") > 0)
            #expect(packets(capture, "btatt") > 0)
            #expect(packets(capture, "wlan.fixed.auth.alg == 3") >= 4, "SAE: commit and confirm, both ways")
            #expect(packets(capture, "eapol") == 4)
            #expect(packets(capture, "frame.time_delta < 0") == 0, "one clock, in order")

            for log in [
                "host/bluetoothd.log", "host/wpa_supplicant.log", "host/agent.log", "host/kernel.log",
                "accessory/bluetoothd.log", "accessory/hostapd.log", "accessory/dnsmasq.log", "accessory/agent.log",
            ] { #expect(FileManager.default.fileExists(atPath: "\(folder)/\(log)"), "\(log)") }
        }
    }
}
