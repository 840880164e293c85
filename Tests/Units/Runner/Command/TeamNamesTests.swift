import Foundation
import Testing

@testable import HILCommand

/// What a team calls its UUIDs, in a package and in Wireshark.
@Suite("Names of UUIDs in a package")
struct TeamNamesTests {
    @Test("come from its own sources, and from no test, other package or hidden folder")
    func package() throws {
        let root = NSTemporaryDirectory() + "names-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (path, name) in [
            ("Sources/App/Lamp.swift", "colour"), ("Tests/AppTests/LampTests.swift", "inTest"),
            ("Vendor/Other/Package.swift", "package"), ("Vendor/Other/Other.swift", "other"),
            (".build/Made.swift", "made"),
        ] {
            let file = URL(fileURLWithPath: "\(root)/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let number = String(format: "%02X", name.utf8.count + 0x10)
            try Data("import CoreBluetooth\nlet \(name) = CBUUID(string: \"FF\(number)\")".utf8).write(to: file)
        }
        try Data("import CoreBluetooth".utf8).write(to: URL(fileURLWithPath: "\(root)/Package.swift"))
        #expect(TeamNames.find(in: root) == ["FF16": "colour"])
        #expect(TeamNames.find(in: "\(root)/nowhere") == [:])
    }

    @Test("make a script in which they are Lua's strings, whatever they hold")
    func script() {
        let script = TeamNames.script(["4C410002-7C3A-4F6B-9B52-1A6F0C8E5D47": "co\"lour", "FF01": "Lamp.id"])
        #expect(script.contains(#"["4C4100027C3A4F6B9B521A6F0C8E5D47"] = "colour","#))
        #expect(script.contains(#"["FF01"] = "Lamp.id","#))
    }
}
