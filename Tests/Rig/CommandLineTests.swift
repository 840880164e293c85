import Foundation
import HILPOSIX
import StubRig
import Testing

/// The command as a shell runs it, without a rig.
struct CommandLineTests {
    /// Runs `hil`. Returns its exit code and the lines of standard output and standard error.
    private func hil(
        _ arguments: [String], path: String? = nil, more: [String] = []
    ) async throws -> (code: Int32, lines: [String]) {
        let pipe = try Descriptor.pipe()
        let child = try ChildProcess.spawn(
            [RunnerProcess.path(of: "hil")] + arguments,
            environment: path.map { ["PATH=\($0)", "HOME=/nonexistent", "HIL_NO_BUILD=1"] + more }
                ?? RunnerProcess.environment,
            streams: [.null, .descriptor(pipe.write), .descriptor(pipe.write)])
        pipe.write.close()
        var output: [UInt8] = []
        while let bytes = try? pipe.read.read(), !bytes.isEmpty { output += bytes }
        guard case .exited(let code) = await child.wait() else { return (-1, []) }
        return (code, String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    @Test("A pattern that matches nothing exits with 64 and the nearest names, and starts nothing")
    func unknownPattern() async throws {
        let (code, lines) = try await hil(["run", "onborded"])
        #expect(code == 64)
        #expect(lines == ["hil: no scenario matches “onborded”; nearest: newDieIsOnboarded, onboardedByHand"])
    }

    @Test("An app's files are checked without a rig: 0 when all is well, 1 with findings, 64 without a folder")
    func check() async throws {
        #expect(try await hil(["check", "--app", "Fixtures/DiceApp"], path: "/nonexistent").code == 0)
        let (code, lines) = try await hil(["check", "--app", "Fixtures/Pictures", "--format", "json"])
        #expect(code == 1)
        #expect(lines.first?.hasPrefix(#"{"file":"Info.plist","isFatal":true,"rule":"P1","text":"#) == true, "\(lines)")
        #expect(try await hil(["check", "--app", "/nowhere"]).code == 64)
    }

    @Test("Every scenario of the folder is listed, with each case of its matrix")
    func list() async throws {
        let (code, lines) = try await hil(["list"])
        #expect(code == 0)
        #expect(lines.contains { $0.hasPrefix("newDieIsOnboarded ") })
        #expect(lines.contains { $0.hasPrefix("dieNetworkIsJoined[security=wpa3] ") })
    }

    @Test("A dry run and a list show the same scenarios, and neither starts anything or makes a folder")
    func dryRun() async throws {
        let out = NSTemporaryDirectory() + "hil-dry-\(UUID().uuidString)"
        let choice = ["--tag", "wifi and not notifications", "--where", "security=wpa3", "--out", out]
        let dry = try await hil(["run", "--dry-run"] + choice, path: "/nonexistent")
        #expect(dry.code == 0)
        #expect(dry.lines.count > 1)
        #expect(dry.lines.dropLast().allSatisfy { $0.contains("[security=wpa3]") }, "\(dry.lines)")
        #expect(Array(dry.lines.dropLast()) == (try await hil(["list"] + choice)).lines)
        #expect(dry.lines.last?.contains("would run on the virtual rig") == true)
        let skipping = try await hil(["run", "--dry-run", "--rig", "hand,virtual", "--answers", "/dev/null"])
        let runs = skipping.lines.dropLast().count { !$0.contains("(skipped: ") }
        #expect(runs > 0 && runs < skipping.lines.count - 1)
        #expect(skipping.lines.last?.hasPrefix("\(runs) scenarios would run") == true, "\(skipping.lines.suffix(1))")
        let idle = try await hil(["run", "--last-failed", "--out", out], path: "/nonexistent")
        #expect(idle.code == 0)
        #expect(idle.lines == ["nothing to repeat: no scenario failed in its last run"])
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test(
        "A tap whose filter is none ends at once, with tshark's words, whether a rig runs or not",

        .enabled(if: CaptureReader.isReady, "tshark is not here: run `make setup`"))
    func tapFilter() async throws {
        let (code, lines) = try await hil(["tap", "no such (filter"])
        #expect(code == 64)
        #expect(
            lines.first?.hasPrefix("hil: “no such (filter” is not a display filter of Wireshark: ") == true, "\(lines)")
    }

    @Test("More rigs than fit into memory are refused with the figures, before anything starts")
    func tooManyRigs() async throws {
        let words = ["run", "--jobs", "64", "--boards", "qemu", "--repeat", "64"]
        let (code, lines) = try await hil(words + ["--dry-run"])
        // On a machine with more memory this cannot be tested.
        if code == 0 { return }
        #expect(code == 64)
        #expect(lines.first?.contains("MiB are available: --jobs") == true, "\(lines)")
        // Without the system's programs a set-up would end with 2.
        let run = try await hil(words, path: "/nonexistent")
        #expect(run.code == 64 && run.lines.first?.contains("MiB are available: --jobs") == true, "\(run.lines)")
    }

    @Test("A folder for results that cannot be written to is reported before the set-up")
    func unwritableResults() async throws {
        let (code, lines) = try await hil(["run", "personCancels", "--out", "/proc/none"], path: "/nonexistent")
        #expect(code == 2)
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.hasPrefix("hil: keeping the results: /proc/none cannot be written to") == true, "\(lines)")
        #expect(lines.first?.contains("--out") == true)
    }

    @Test("A cache folder that cannot be made is reported in a line that names HIL_CACHE")
    func cacheFolder() async throws {
        let (code, lines) = try await hil(["setup"], path: "/usr/bin", more: ["HIL_CACHE=/proc/none/hil"])
        #expect(code == 2)
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("set HIL_CACHE to your own folder") == true, "\(lines)")
    }

    @Test("If something that a run needs is missing, one line says what to do, and the exit code is 2")
    func missing() async throws {
        let (code, lines) = try await hil(["run", "personCancels"], path: "/nonexistent")
        #expect(code == 2)
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("make setup") == true)
    }
}
