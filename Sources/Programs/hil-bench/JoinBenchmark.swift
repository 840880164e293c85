import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import HILTiming
import VirtualRig

/// Measures how long joining a WPA3 network takes: between the boards, and between two radios of one board's kernel.
///
/// In both cases the same scripts start hostapd and wpa_supplicant. Only the path of the frames differs.
struct JoinBenchmark {
    let parts: RigParts
    /// The program `hil`, for its shells.
    let program: String
    /// A folder for the logs.
    let folder: String

    /// The seconds from the start of wpa_supplicant until the keys are installed, for each join.
    struct Samples {
        var betweenBoards: [Double] = []
        var inOneKernel: [Double] = []

        /// How many times as long a join between the boards takes.
        var ratio: Double { median(betweenBoards) / median(inOneKernel) }
    }

    /// Joins `count` times in each of the two places. A first join is not counted, because QEMU translates the daemons'
    /// code then.
    func samples(count: Int) async throws -> Samples {
        var samples = Samples()
        samples.betweenBoards = try await onRig(parts) { rig in
            let air = try await AirClient.connect(to: rig.airSocket)
            for board in BoardRole.allCases { try await air.ask { .attach(board, .wifi, $0) } }
            try await shell(.accessory, on: rig, JoinBenchmark.accessPoint("wlan0"))
            defer { withExtendedLifetime(air) {} }
            return try await joins(count, on: rig)
        }
        var parts = parts
        // The kernel of native boards has the driver built in.
        parts.native?.radios = 2
        samples.inOneKernel = try await onRig(parts) { rig in
            if parts.native == nil {
                try await shell(.host, on: rig, "modprobe -r mac80211_hwsim && modprobe mac80211_hwsim radios=2")
            }
            try await shell(.host, on: rig, JoinBenchmark.accessPoint("wlan1"))
            return try await joins(count, on: rig)
        }
        return samples
    }

    private func joins(_ count: Int, on rig: VirtualRig) async throws -> [Double] {
        var samples: [Double] = []
        for _ in 0...count {
            let text = try await shell(.host, on: rig, JoinBenchmark.station)
            guard let seconds = Double(text.split(separator: "\n").last ?? "") else {
                throw Failed(description: "joining printed no time, but “\(text)”")
            }
            samples.append(seconds)
        }
        return Array(samples.dropFirst())
    }

    private func onRig<Result>(
        _ parts: RigParts, _ body: (VirtualRig) async throws -> Result
    ) async throws -> Result {
        let rig = try await VirtualRig.start(parts, evidence: "\(folder)/\(UUID().uuidString)")
        let result: Result
        do { result = try await body(rig) } catch {
            await rig.stop()
            throw error
        }
        await rig.stop()
        return result
    }

    /// Runs a script in a board's shell, and returns its output.
    @discardableResult
    private func shell(_ role: BoardRole, on rig: VirtualRig, _ script: String) async throws -> String {
        let (read, write) = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            [program, "shell", role.rawValue, "--rig", rig.place.name, "--", "sh", "-ec", script],
            streams: [.null, .descriptor(write), .descriptor(write)])
        write.close()
        var text: [UInt8] = []
        while case let bytes = try read.read(), !bytes.isEmpty { text += bytes }
        let status = await child.wait()
        guard status.isSuccess else {
            throw Failed(
                description: "a script on the \(role) board \(status): \(String(decoding: text, as: UTF8.self))")
        }
        return String(decoding: text, as: UTF8.self)
    }

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private static func accessPoint(_ interface: String) -> String {
        """
        cat >/tmp/ap.conf <<'END'
        interface=\(interface)
        driver=nl80211
        ssid=bench
        hw_mode=g
        channel=1
        beacon_int=50
        wpa=2
        rsn_pairwise=CCMP
        wpa_key_mgmt=SAE
        sae_password=correct horse
        sae_groups=19
        sae_pwe=2
        ieee80211w=2
        END
        mkfifo /tmp/ap
        hostapd -f /tmp/ap /tmp/ap.conf &
        while read -r line; do case $line in *AP-ENABLED*) break ;; esac; done </tmp/ap
        cat /tmp/ap >/dev/null 2>&1 </dev/null &
        """
    }

    /// Joins, and prints the time that it took in seconds, to a hundredth.
    private static let station = """
        cat >/tmp/sta.conf <<'END'
        sae_pwe=2
        network={
            ssid="bench"
            key_mgmt=SAE
            sae_password="correct horse"
            ieee80211w=2
            scan_freq=2412
        }
        END
        rm -f /tmp/sta
        mkfifo /tmp/sta
        hundredths() { IFS=' .' read -r seconds hundredths rest </proc/uptime; echo "$seconds$hundredths"; }
        before=$(hundredths)
        wpa_supplicant -Dnl80211 -iwlan0 -c/tmp/sta.conf -f/tmp/sta &
        while read -r line; do case $line in *CTRL-EVENT-CONNECTED*) break ;; esac; done </tmp/sta
        after=$(hundredths)
        kill $!
        wait $! || true
        printf '%d.%02d\\n' $(((after - before) / 100)) $(((after - before) % 100))
        """
}
