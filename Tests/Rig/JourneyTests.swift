import Foundation
import HILExecution
import StubRig
import Testing

/// The program that reads captures.
enum CaptureReader {
    /// Whether it is installed. If every test must run, a missing program makes them fail.
    static let isReady =
        ProcessInfo.processInfo.environment["HIL_TESTS"] == "all" || Shell.outputAtOnce(["tshark", "--version"]) != nil
}

extension RealRigTests {
    /// The whole journey on the real rig, and its evidence.
    @Suite(.serialized, .enabled(if: CaptureReader.isReady, "tshark is not here: run `make setup`"))
    struct JourneyTests {
        private let results = RealRig.results()

        /// The numbers of the packets that match a display filter of Wireshark, from `hil capture`, which adds the
        /// keys.
        private func packets(_ folder: String, _ filter: String) async -> [Int] {
            let arguments = ["capture", folder, "-Y", filter, "-T", "fields", "-e", "frame.number"]
            let output = await Shell.output([RunnerProcess.path(of: "hil")] + arguments) ?? ""
            return output.split(separator: "\n").compactMap { Int($0) }
        }

        @Test("The capture of the journey shows its parts in order on one clock, with the key file down to DHCP")
        func capture() async throws {
            defer { try? FileManager.default.removeItem(atPath: results) }
            let (status, record) = try await RealRig.run(["newDieIsOnboarded"], out: results).end()
            #expect(status == .exited(0), "\(record.entries.map { $0.result?.judgement.failures ?? [] })")
            let folder = "\(results)/latest/newDieIsOnboarded"
            let capture = "\(folder)/capture.pcapng"

            let complaints = try #require(
                await Shell.output(["tshark", "-r", capture, "-Y", "frame.number == 0"], withErrors: true))
            let serious = complaints.split(separator: "\n").filter { !$0.contains("Running as user") }
            #expect(serious.isEmpty, "\(serious)")
            #expect(await packets(folder, "_ws.malformed") == [])
            #expect(await packets(folder, "frame.time_delta < 0") == [], "one clock, in order")

            // Each part begins after the one before it.
            var parts: [(name: String, packets: [Int])] = []
            for (name, filter) in [
                ("discovery", "bthci_evt.le_meta_subevent in {0x02, 0x0d}"), ("pairing", "btsmp"),
                ("attributes", "btatt.opcode == 0x12 || btatt.opcode == 0x52"),
                ("SAE", "wlan.fixed.auth.alg == 3"), ("four-way handshake", "eapol"), ("DHCP", "dhcp"),
            ] { parts.append((name, await packets(folder, filter))) }
            for part in parts { #expect(!part.packets.isEmpty, "\(part.name) is there") }
            for (earlier, later) in zip(parts, parts.dropFirst()) {
                #expect(
                    earlier.packets.first ?? .max < later.packets.first ?? .min, "\(earlier.name), then \(later.name)")
            }
            for name in ["DieGATT.service", "roll"] {
                #expect(await !packets(folder, "hil.uuid_name == \"\(name)\"").isEmpty, "the sources' name \(name)")
            }
            #expect(parts[3].packets.count >= 4, "SAE: commit and confirm, both ways")
            #expect(parts[4].packets.count == 4)
            #expect(await Shell.output(["tshark", "-r", capture, "-Y", "dhcp"]) == "", "without the keys it is closed")

            for log in [
                "host/wpa_supplicant.log", "host/agent.log", "host/kernel.log",
                "accessory/bluetoothd.log", "accessory/hostapd.log", "accessory/dnsmasq.log", "accessory/agent.log",
            ] { #expect(FileManager.default.fileExists(atPath: "\(folder)/\(log)"), "\(log)") }
            try await expectSecret(in: folder)
        }

        /// The keys are in the key file, for its owner only, and nowhere else in the results.
        private func expectSecret(in folder: String) async throws {
            let file = "\(folder)/80211_keys"
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            let keys = lines.compactMap { $0.split(separator: "\"").last.map(String.init) }
            #expect(!keys.isEmpty && keys.allSatisfy { $0.count == 64 })
            for key in keys {
                let holders = await Shell.output(["grep", "-rliF", key, "\(results)/"]) ?? ""
                #expect(holders.split(separator: "\n").allSatisfy { $0.hasSuffix("/80211_keys") }, "\(holders)")
            }
        }
    }
}
