import Foundation
import HILExecution
import Testing

@testable import HILCommand

struct EvidenceFolderTests {
    private let results = NSTemporaryDirectory() + "hil-evidence-\(UUID().uuidString)"

    private func make(_ scenario: String, _ files: [String]) throws -> String {
        let folder = "\(results)/run/\(scenario)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in files { #expect(FileManager.default.createFile(atPath: "\(folder)/\(file)", contents: Data())) }
        return folder
    }

    @Test("A scenario's folder is found by its name in the list and by its path; an error lists what exists")
    func names() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let folder = try make("join-security=wpa3", ["verdict.json"])
        #expect(try EvidenceFolder.find("run/join[security=wpa3]", in: results) == folder)
        #expect(try EvidenceFolder.find("run/join-security=wpa3", in: results) == folder)
        #expect(try EvidenceFolder.find("\(folder)/", in: "/nowhere") == folder)
        let other = try make("join-security=wpa2", ["verdict.json"])
        _ = try make("rolls/attempt-2", ["verdict.json"])
        _ = try make("rolls", ["verdict.json"])
        #expect(try EvidenceFolder.find("run/WPA2", in: results) == other, "a part will do")
        #expect(try EvidenceFolder.find("run/roll/attempt-2", in: results).hasSuffix("run/rolls/attempt-2"))
        let several = #expect(throws: UsageError.self) { try EvidenceFolder.find("run/join", in: results) }
        #expect(several?.description.contains("join-security=wpa2, join-security=wpa3") == true)
        let error = #expect(throws: UsageError.self) { try EvidenceFolder.find("run/jion", in: results) }
        #expect(error?.description.contains("join-security=wpa3") == true)
        #expect(throws: UsageError.self) { try EvidenceFolder.find("run", in: results) }
    }

    @Test("tshark reads its settings from the scenario's folder if that has keys, and gets no key as an argument")
    func capture() throws {
        defer { try? FileManager.default.removeItem(atPath: results) }
        let with = CaptureCommand(folder: try make("a", ["80211_keys"]), arguments: ["-Y", "btatt"])
        #expect(with.settings == with.folder)
        #expect(with.command.suffix(2) == ["-Y", "btatt"])
        #expect(!with.command.contains { $0.contains("wpa-psk") || $0.contains("80211_keys") })
        #expect(CaptureCommand(folder: try make("b", []), arguments: []).settings == nil)
    }

    @Test("Everything after the scenario goes to tshark, also options")
    func arguments() throws {
        let request = try Arguments.parse(["capture", "latest/a", "-Y", "ip", "--help"])
        #expect(request == .capture("latest/a", arguments: ["-Y", "ip", "--help"]))
        #expect(try Arguments.parse(["capture", "--help"]) == .help("capture"))
        #expect(throws: UsageError.self) { try Arguments.parse(["capture"]) }
    }

    @Test("The number of kept runs can be set, and an invalid limit is refused")
    func keeping() throws {
        guard case .run(_, let way) = try Arguments.parse(["run", "--no-keys", "--keep", "3"]) else {
            Issue.record("not a run")
            return
        }
        #expect(!way.keepsKeys)
        #expect(way.retention == Retention(runs: 3, bytes: nil))
        #expect(throws: UsageError.self) { try Arguments.parse(["run", "--keep", "few"]) }
    }
}
