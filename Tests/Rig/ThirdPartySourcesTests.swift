import Foundation
import StubRig
import TestSupport
import Testing

extension RealRigTests {
    /// The table of `make third-party`, for checkouts that are made here.
    @Suite(
        .enabled(
            if: ProcessInfo.processInfo.environment["HIL_TESTS"] == "all",
            "it needs all of the package's modules: run `make check`"))
    struct ThirdPartySourcesTests {
        private static let sources = [
            // As on Linux already.
            "kim/plain/App.swift": "import CoreBluetooth\nlet battery = CBUUID(string: \"180F\")\n",
            // Only as a copy.
            "kim/phone/App.swift": """
            #if os(iOS)
            import AccessorySetupKit
            import os.log
            @objcMembers final class Lamp: NSObject {
                let log = Logger(subsystem: "lamp", category: "setup")
                func start() {
                    NotificationCenter.default.addObserver(self, selector: #selector(changed), name: .init("x"), object: nil)
                }
                @objc private func changed(_ note: Notification) { log.info("\\(note.name.rawValue, privacy: .public)") }
            }
            #endif
            let lamp = Lamp()
            """,
            // Not at all; the second file is left out.
            "kim/screen/App.swift": "import UIKit\n\nfinal class Page: UIViewController {}\n",
            "kim/screen/Views/View.swift": "this is no Swift\n",
        ]

        @Test("Each checkout compiles unchanged, as a copy, or not, with the first reason; nothing of it stays")
        func table() async throws {
            let folder = NSTemporaryDirectory() + "hil-third-party-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let temporary = "\(folder)/temporary"
            try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
            for (path, text) in Self.sources {
                let file = URL(filePath: "\(folder)/checkouts/\(path)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
            for name in ["plain", "phone", "screen"] {
                try "abc\n".write(toFile: "\(folder)/checkouts/kim/\(name)/.commit", atomically: true, encoding: .utf8)
            }
            let list = "\(folder)/list.tsv"
            let rows = ["plain", "phone", "screen", "none"].map { "kim/\($0)\tabc\t. !Views\tCoreBluetooth" }
            try (["repository\tcommit\tsources\tframeworks"] + rows + ["kim/plain\tdef\t.\tCoreBluetooth", ""])
                .joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
            let output = try await ProgramOutput(
                of: [
                    "env", "TMPDIR=\(temporary)", "\(checkout)/Tests/Support/ThirdPartySources/type-check",
                    "\(folder)/checkouts", list,
                ])
            let lines = output.text.split(separator: "\n").map(String.init)
            try #require(lines.count == 7, "\(output.text)")
            #expect(lines[1] == "kim/plain\t1\tunchanged\t")
            #expect(lines[2] == "kim/phone\t1\tas AppleSources\t")
            #expect(
                lines[3].hasPrefix(
                    "kim/screen\t1\tno\tkim/screen/App.swift:3:19: error: 'UIViewController' is unavailable"))
            #expect(lines[4].hasPrefix("kim/none\t\tnot checked\t") && lines[5].contains("is at abc, not at def"))
            #expect(lines[6] == "2 of 3 compiled, 2 not checked" && output.status.description.contains("2"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        }
    }
}
