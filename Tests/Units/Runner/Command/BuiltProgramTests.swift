import Foundation
import Testing

@testable import HILCommand

@Suite struct BuiltProgramTests {
    /// Writes a file that was last changed at a time, in seconds since 1970.
    private func write(_ path: String, at time: Double) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time), .posixPermissions: 0o755], ofItemAtPath: path)
    }

    @Test("What a build reads anywhere is watched, and a source of the same content only once")
    func elsewhere() throws {
        let base = NSTemporaryDirectory() + "hil-built-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: base) }
        let root = "\(base)/lamp"
        try write("\(root)/Package.swift", at: 1000)
        try write("\(root)/Sources/App/AppleSources.txt", at: 1000)
        try write("\(base)/phone/Lamp.swift", at: 1000)
        try write("\(root)/.build/debug/hil", at: 2000)
        let manifest = """
            commands:
              "copy":
                inputs: ["/usr/bin/copy","\(root)/Sources/App/AppleSources.txt","\(base)/phone/Lamp.swift","<phony>"]
                outputs: ["\(root)/.build/copy/Lamp.copied.swift"]
              "C.App":
                inputs: ["\(root)/.build/copy/Lamp.copied.swift"]
            """
        try manifest.write(toFile: "\(root)/.build/debug.yaml", atomically: true, encoding: .utf8)
        func date(_ path: String, _ time: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: path)
        }
        for folder in ["\(root)/Sources/App", "\(root)/Sources", "\(base)/phone"] { try date(folder, 1000) }
        let program = try #require(BuiltProgram(path: "\(root)/.build/debug/hil"))
        #expect(program.newerSource(than: .program) == nil)
        try date("\(base)/phone/Lamp.swift", 3000)
        #expect(program.newerSource(than: .program) == "\(base)/phone/Lamp.swift")
        try date("\(base)/phone/Lamp.swift", 1000)
        try date("\(base)/phone", 3000)
        #expect(program.newerSource(than: .program) == "\(base)/phone", "a file was added or removed")
        program.note(builtFrom: Date(timeIntervalSince1970: 4000))
        #expect(program.newerSource(than: .program) == nil)
        try date("\(root)/Sources/App/AppleSources.txt", 5000)
        #expect(program.newerSource(than: .program) == "Sources/App/AppleSources.txt")
    }

    @Test(
        "The programs of boards, air and rig are old if anything changed that they are made of",
        arguments: [("Die", true), ("Board", true), ("System", true), ("Runner", false), ("Host", false)])
    func rigPrograms(floor: String, isOld: Bool) throws {
        let root = NSTemporaryDirectory() + "hil-built-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let source = "Sources/\(floor)/Part/File.swift"
        for file in ["Package.swift", "Fixtures/Setup/build"] { try write("\(root)/\(file)", at: 1000) }
        try write("\(root)/.build/release/.programs", at: 2000)
        try write("\(root)/\(source)", at: 3000)
        try write("\(root)/.build/debug/hil", at: 4000)
        for folder in ["Sources/\(floor)/Part", "Sources/\(floor)", "Sources"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1000)], ofItemAtPath: "\(root)/\(folder)")
        }
        let program = try #require(BuiltProgram(path: "\(root)/.build/debug/hil"))
        #expect(program.newerSource(than: .program) == nil)
        #expect(program.newerSource(than: .rig) == (isOld ? source : nil))
    }
}
